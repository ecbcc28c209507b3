/// Receives the result of each step of an attestation.
///
/// The engine is compiled anew for each kind of recorder, so that the usual one, which records nothing, costs nothing:
/// what explains a verdict is the code that made it.
package protocol AttestationRecorder {
    /// Records a step; steps come in the order of R10.
    mutating func record(_ step: AttestationStep)
}

/// Records nothing.
struct SilentRecorder: AttestationRecorder {
    // A value without a field has no memory of its own, and ThreadSanitizer takes those of two threads for one.
    private var unused: UInt8 = 0

    @inline(__always)
    mutating func record(_ step: AttestationStep) {}
}

/// The result of a step of an attestation, which explains the decision (R10).
package enum AttestationStep: Hashable, Sendable {
    /// Step 1: the account that is in force, by its number in the history.
    case account(revision: Int)
    /// Step 2: the flags that were observed, and whether the device is seen for the first time.
    case observed(FlagSet, isFirst: Bool)
    /// Step 3: the ban or unban of the device's entry, if one was applied.
    case pendingBan(BanMode?)
    /// Step 4 of a capture: a registration that was removed stood for the app (R15.2).
    case removedRegistration
    /// Step 5: the flags that what is remembered added and removed.
    case persisted(added: FlagSet, removed: FlagSet)
    /// Step 6: the risk flags that are set; with any of them the device is risky.
    case risk(FlagSet)
    /// Step 7: the filters that match.
    case filters(matched: FilterSet, limitHits: FilterSet)
    /// Step 8: the filters that made the device risky, and those that banned it; none where it cannot be banned.
    case actions(risky: FilterSet, banning: FilterSet)
    /// Step 9: the policy, and why it is this one.
    case policy(PolicyNumber, PolicyReason)
}

/// Why a policy was chosen (R10, step 9).
package enum PolicyReason: Hashable, Sendable {
    /// The device has one of its own.
    case ownEntry
    /// Filters that matched execute the filtered policy.
    case filters(FilterSet)
    /// The device is sampled on that day.
    case sampled
    /// It is the account's.
    case account
}
