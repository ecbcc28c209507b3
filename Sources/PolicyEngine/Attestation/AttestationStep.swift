/// What a step of an attestation came to, for whoever wants to know why (R10).
public enum AttestationStep: Hashable, Sendable {
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
