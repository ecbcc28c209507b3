/// Which flags make an attestation fail, and how long its tokens live (R4.1).
public struct RejectionPolicy: Hashable, Sendable {
    /// The preset that it is or that it was made from; its hidden attributes stay (R4.4).
    public let base: RejectionPreset
    /// True if flags were added or removed by hand; its name is then `custom` (R4.4).
    public private(set) var isCustom = false
    /// The flags that reject whenever they are set.
    public private(set) var rejecting: FlagSet
    /// The flags that reject unless `xposed` is set too (R4.3).
    public private(set) var rejectingUnlessXposed: FlagSet

    /// The flags that reject, with or without an exception.
    package var anyRejecting: FlagSet { rejecting.union(rejectingUnlessXposed) }

    /// The name of every policy made by hand.
    package static let customName = "custom"

    /// Makes a preset.
    public init(preset: RejectionPreset) {
        base = preset
        rejecting = RejectionTable.flags(marked: .rejects, for: preset)
        rejectingUnlessXposed = RejectionTable.flags(marked: .rejectsUnlessXposed, for: preset)
    }

    /// The name in policies and metrics: that of the preset, or `custom`.
    public var name: String { isCustom ? Self.customName : base.rawValue }

    /// True if every attestation fails, with the one rejection `policy:blacklist` (R4.5).
    @inline(__always) package var rejectsEverything: Bool { base == .blacklist }

    /// True if rejecting filters do not count (R4.6).
    @inline(__always) package var ignoresFilters: Bool { base == .whitelist }

    /// A lifetime that goes before all others, in seconds; `nil` for the usual ones (R11.1).
    @inline(__always) package var fixedLifetime: Int? {
        base == .allowRootAndJailbrokenOnlyShortLifetime ? TokenLifetime.short.seconds : nil
    }

    /// Makes the policy custom without changing what it rejects, as an edit that changes nothing does (R4.4).
    package mutating func makeCustom() { isCustom = true }

    /// Makes a flag reject whenever it is set; it loses its exception, and the policy becomes custom (R4.4).
    public mutating func addRejectFlag(_ flag: Flag) {
        isCustom = true
        rejecting.insert(flag)
        rejectingUnlessXposed.remove(flag)
    }

    /// Makes a flag reject no longer; the policy becomes custom (R4.4).
    public mutating func removeRejectFlag(_ flag: Flag) {
        isCustom = true
        rejecting.remove(flag)
        rejectingUnlessXposed.remove(flag)
    }

    /// Lets a flag reject no longer where it is not known whether it was set; the policy keeps its name.
    mutating func overlook(_ flag: Flag) {
        rejecting.remove(flag)
        rejectingUnlessXposed.remove(flag)
    }

    /// The flags among those set that cause a rejection (R4.1).
    ///
    /// - Complexity: O(1); allocates nothing.
    @inline(__always)
    package func rejections(among flags: FlagSet) -> FlagSet {
        if rejectsEverything { return .empty }
        let reject = flags.contains(.xposed) ? rejecting : rejecting.union(rejectingUnlessXposed)
        return flags.intersection(reject)
    }
}

/// The effect of one flag under a rejection policy.
package enum RejectionStatus: String, Hashable, Sendable, CaseIterable {
    case accepts
    case rejects
    /// It rejects, except where `xposed` is set too (R4.3).
    case rejectsUnlessXposed = "rejects unless xposed"
}

extension RejectionPolicy {
    /// The effect of a flag under the policy (R4.1–R4.5).
    ///
    /// - Complexity: O(1).
    package func status(of flag: Flag) -> RejectionStatus {
        if rejectsEverything || rejecting.contains(flag) { return .rejects }
        return rejectingUnlessXposed.contains(flag) ? .rejectsUnlessXposed : .accepts
    }
}

/// The lifetimes of tokens, in seconds (R11.1).
@usableFromInline
package enum TokenLifetime: Sendable {
    case usual, risky, short

    /// The lifetime without the grace period.
    @inlinable @inline(__always) package var seconds: Int {
        switch self {
        case .usual: 300
        case .risky: 120
        case .short: 45
        }
    }

    /// The grace that goes with the short lifetime; the others take the account's (R11.2).
    package static let shortGrace = 15
}
