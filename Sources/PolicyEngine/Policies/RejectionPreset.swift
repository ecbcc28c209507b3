/// The preset rejection policies of the manual (R4.2), in its order.
public enum RejectionPreset: String, Hashable, Sendable, CaseIterable {
    /// Rejects rooted and jailbroken devices, emulators, frameworks and cloned apps.
    case `default`
    /// Also requires SafetyNet and DeviceCheck where they are enabled.
    case strict
    /// Accepts cloned apps.
    case allowCloned = "allow-cloned"
    /// Accepts Xposed, but no rooting without it.
    case allowXposed = "allow-xposed"
    /// Accepts rooted Android devices.
    case allowRoot = "allow-root"
    /// Accepts rooted and jailbroken devices, emulators and cloned apps.
    case allowRootAndJailbroken = "allow-root-and-jailbroken"
    /// Accepts rooted and jailbroken devices alone.
    case allowRootAndJailbrokenOnly = "allow-root-and-jailbroken-only"
    /// Accepts rooted and jailbroken devices alone, with tokens of 45 seconds.
    case allowRootAndJailbrokenOnlyShortLifetime = "allow-raj-only-short-lifetime"
    /// Accepts all but direct evidence of tampering with the SDK.
    case whitelist
    /// Rejects everything.
    case blacklist

    /// One sentence for people, in the style of the manual's `policy -get`.
    package var summary: String {
        switch self {
        case .default: "Reject all rooted/jailbroken devices, emulators/simulators, frameworks and cloned apps"
        case .strict: "Reject as default does, and require SafetyNet/DeviceCheck where enabled"
        case .allowCloned: "Accept cloned apps but reject all else that default rejects"
        case .allowXposed: "Accept Xposed but reject rooting without it and all else that default rejects"
        case .allowRoot:
            "Accept rooted Android devices but reject emulators/simulators and Frida/Cydia/Cycript"
        case .allowRootAndJailbroken:
            "Accept rooted/jailbroken devices, emulators/simulators and cloned apps but reject Frida/Cydia/Cycript"
        case .allowRootAndJailbrokenOnly:
            "Accept rooted/jailbroken devices but reject emulators/simulators, cloned apps and Frida/Cydia/Cycript"
        case .allowRootAndJailbrokenOnlyShortLifetime:
            "Accept rooted/jailbroken devices as allow-root-and-jailbroken-only does, with tokens of 45 seconds"
        case .whitelist: "Accept all but direct evidence of tampering with the SDK"
        case .blacklist: "Reject everything"
        }
    }
}

/// Which preset rejects on which flag (R4.2): the columns of the marks that each row of ``BuiltInFlags`` has.
///
/// There is one mark for each preset but `blacklist`, which needs none (R4.5), in the order of ``RejectionPreset``: `x` rejects,
/// `u` rejects unless `xposed` is set too (R4.3), `.` does not reject.
enum RejectionTable {
    enum Mark: Character {
        case rejects = "x"
        case rejectsUnlessXposed = "u"
        case accepts = "."
    }

    /// The presets of the columns: all but `blacklist`.
    static let columns = RejectionPreset.allCases.filter { $0 != .blacklist }

    /// The flags that carry a mark in the column of a preset.
    static func flags(marked mark: Mark, for preset: RejectionPreset) -> FlagSet {
        columns.firstIndex(of: preset).map { sets[$0][mark] ?? .empty } ?? .empty
    }

    // By column: the flags that carry each mark.
    private static let sets = columns.indices.map { column in
        BuiltInFlags.all.enumerated().reduce(into: [Mark: FlagSet]()) { sets, flag in
            guard let mark = flag.element.rejections.dropFirst(column).first.flatMap(Mark.init) else { return }
            sets[mark, default: .empty].insert(Flag(index: UInt8(flag.offset)))
        }
    }
}
