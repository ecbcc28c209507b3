/// The preset rejection policies of the manual (R4.2), in its order.
public enum RejectionPreset: String, Hashable, Sendable, CaseIterable {
    case `default`
    case strict
    case allowCloned = "allow-cloned"
    case allowXposed = "allow-xposed"
    case allowRoot = "allow-root"
    case allowRootAndJailbroken = "allow-root-and-jailbroken"
    case allowRootAndJailbrokenOnly = "allow-root-and-jailbroken-only"
    case allowRootAndJailbrokenOnlyShortLifetime = "allow-raj-only-short-lifetime"
    case whitelist
    case blacklist

    /// One sentence for people, in the style of the manual's `policy -get`.
    public var summary: String {
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
