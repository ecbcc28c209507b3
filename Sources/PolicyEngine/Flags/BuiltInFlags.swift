/// The flags that the service itself knows, in catalogue order: the one table of them (R2.1).
///
/// The manual names most; where it describes a detection without naming it, the name is ours (`isNamedInManual`). A flag on
/// which presets reject has a mark for each of them: default, strict, allow-cloned, allow-xposed, allow-root,
/// allow-root-and-jailbroken, allow-root-and-jailbroken-only, allow-raj-only-short-lifetime, whitelist (``RejectionTable``).
enum BuiltInFlags {
    // swift-format-ignore: a row of the table stays on its line.
    static let all: [PropertyFlag] = [
        PropertyFlag(
            "app-not-registered", [.android, .ios], .authenticity,
            rejectedBy: "xxxxxxxx.", means: "App is not registered, which may indicate that it is fake or tampered"),
        PropertyFlag(
            "bad-hmac", [.android, .ios], .spoofing, isRisk: true, isEvidenceAgainstSDK: true,
            rejectedBy: "xxxxxxxxx", means: "Integrity code of the request does not match"),
        PropertyFlag(
            "sdk-tampered", [.android, .ios], .spoofing, isRisk: true, isEvidenceAgainstSDK: true,
            isNamedInManual: false, rejectedBy: "xxxxxxxxx", means: "The protected core of the SDK was changed"),
        PropertyFlag(
            "memory-tampered", [.android, .ios], .tampering, isRisk: true, isNamedInManual: false,
            rejectedBy: "xxxxxxxx.", means: "Suspicious change in the app's memory layout"),
        PropertyFlag(
            "rooted", [.android], .rooting, isRisk: true, rejectedBy: "xxxu.....",
            means: "Device is rooted, Magisk included"),
        PropertyFlag(
            "root-risk", [.android], .rooting, isRisk: true, means: "Signs that often go with rooting are present"),
        PropertyFlag(
            "xposed", [.android], .framework, isRisk: true, rejectedBy: "xxx......", means: "Xposed is present"),
        PropertyFlag(
            "xposed-hostile", [.android], .framework, isRisk: true, isNamedInManual: false,
            rejectedBy: "xxxxxxxx.", means: "An active Xposed module implicated in stealing data"),
        PropertyFlag(
            "jailbroken", [.ios], .jailbreaking, isRisk: true, rejectedBy: "xxxxx....", means: "Device is jailbroken"),
        PropertyFlag(
            "cydia", [.ios], .framework, isRisk: true, isNamedInManual: false, rejectedBy: "xxxxxxxx.",
            means: "Cydia is present"),
        PropertyFlag(
            "cycript", [.ios], .framework, isRisk: true, isNamedInManual: false, rejectedBy: "xxxxxxxx.",
            means: "Cycript is present"),
        PropertyFlag(
            "frida", [.android, .ios], .framework, isRisk: true, isNamedInManual: false,
            rejectedBy: "xxxxxxxx.", means: "Frida is present or attached"),
        PropertyFlag(
            "emulator", [.android], .emulation, isRisk: true, isNamedInManual: false,
            rejectedBy: "xxxxx.xx.", means: "App runs on an Android emulator"),
        PropertyFlag(
            "ios-simulator", [.ios], .emulation, isRisk: true, rejectedBy: "xxxxx.xx.",
            means: "App runs on an iOS simulator"),
        PropertyFlag(
            "cloned", [.android], .cloning, isRisk: true, isNamedInManual: false, rejectedBy: "xx.xx.xx.",
            means: "App runs inside a cloning app"
        ),
        PropertyFlag(
            "debug", [.android, .ios], .debugging, isRisk: true, isNamedInManual: false,
            rejectedBy: "xxxxxxxx.", means: "A debugger or a debug environment is present"),
        PropertyFlag("automated", [.android, .ios], .automation, means: "App is driven by an automation tool"),
        PropertyFlag("automated-launch", [.android], .automation, means: "App was launched in an automated way"),
        PropertyFlag("non-standard-launch", [.android], .automation, means: "App was launched in a non-standard way"),
        PropertyFlag(
            "pinning-tampered", [.android, .ios], .unpinning, isRisk: true,
            rejectedBy: "xxxxxxxxx", means: "Pinning self-test connected where it must not"),
        PropertyFlag(
            "init-config-outdated", [.android, .ios], .information, means: "App's built-in configuration is old"),
        PropertyFlag(
            "did-ban", [.android, .ios], .banning, isDerived: true, rejectedBy: "xxxxxxxx.",
            means: "Device ID is banned"),
        PropertyFlag("did-unban", [.android, .ios], .banning, isDerived: true, means: "Device ID was unbanned"),
        PropertyFlag(
            "new-did", [.android, .ios], .information, isDerived: true, means: "Device ID was not seen before"),
        PropertyFlag("devicecheck-completed", [.ios], .devicecheck, means: "DeviceCheck was completed"),
        PropertyFlag(
            "devicecheck-failed", [.ios], .devicecheck, rejectedBy: "xxxxxxxx.", means: "DeviceCheck token is invalid"),
        PropertyFlag(
            "devicecheck-unavailable", [.ios], .devicecheck, rejectedBy: ".x.......",
            means: "DeviceCheck is not available on the device"),
        PropertyFlag(
            "devicecheck-ban", [.ios], .devicecheck, rejectedBy: "xxxxxxxx.",
            means: "Physical device is banned through DeviceCheck"),
        PropertyFlag(
            "devicecheck-missing", [.ios], .devicecheck, isNamedInManual: false, isDerived: true,
            rejectedBy: ".x.......", means: "DeviceCheck is enabled but was not done"),
        PropertyFlag("safetynet-completed", [.android], .safetynet, means: "SafetyNet attestation was completed"),
        PropertyFlag(
            "safetynet-fail-token", [.android], .safetynet, isRisk: true, rejectedBy: "xxxxxxxx.",
            means: "SafetyNet token is invalid"),
        PropertyFlag(
            "safetynet-fail-integrity", [.android], .safetynet, isRisk: true,
            rejectedBy: "xxxu.....", means: "SafetyNet basic integrity is false"),
        PropertyFlag(
            "safetynet-fail-profile", [.android], .safetynet, isRisk: true, rejectedBy: ".x.......",
            means: "SafetyNet profile match is false"),
        PropertyFlag(
            "safetynet-fail-cert", [.android], .safetynet, isRisk: true,
            rejectedBy: "xxxxxxxx.", means: "SafetyNet app certificate digest is not an expected one"),
        PropertyFlag(
            "safetynet-unavailable", [.android], .safetynet, rejectedBy: ".x.......",
            means: "SafetyNet attestation could not be obtained"),
        PropertyFlag(
            "safetynet-missing", [.android], .safetynet, isNamedInManual: false, isDerived: true,
            rejectedBy: ".x.......", means: "SafetyNet is enabled but was not done"),
        PropertyFlag(
            "risky-device", [.android, .ios], .information, isDerived: true,
            means: "Device has a risk flag or matches a risky filter"),
    ]
}

extension Flag {
    // The flags that the rules themselves speak of, by their rows.

    /// `app-not-registered`.
    @inlinable package static var appNotRegistered: Flag { Flag(index: 0) }

    /// `xposed`.
    @inlinable package static var xposed: Flag { Flag(index: 6) }

    /// `emulator`.
    @inlinable package static var emulator: Flag { Flag(index: 12) }

    /// `ios-simulator`.
    @inlinable package static var iosSimulator: Flag { Flag(index: 13) }

    /// `cloned`.
    @inlinable package static var cloned: Flag { Flag(index: 14) }

    /// `pinning-tampered`.
    @inlinable package static var pinningTampered: Flag { Flag(index: 19) }

    /// `init-config-outdated`.
    @inlinable package static var initialConfigurationOutdated: Flag { Flag(index: 20) }

    /// `did-ban`.
    @inlinable package static var deviceBan: Flag { Flag(index: 21) }

    /// `did-unban`.
    @inlinable package static var deviceUnban: Flag { Flag(index: 22) }

    /// `new-did`.
    @inlinable public static var newDevice: Flag { Flag(index: 23) }

    /// `devicecheck-completed`.
    @inlinable package static var deviceCheckCompleted: Flag { Flag(index: 24) }

    /// `devicecheck-failed`.
    @inlinable package static var deviceCheckFailed: Flag { Flag(index: 25) }

    /// `devicecheck-unavailable`.
    @inlinable package static var deviceCheckUnavailable: Flag { Flag(index: 26) }

    /// `devicecheck-ban`.
    @inlinable package static var deviceCheckBan: Flag { Flag(index: 27) }

    /// `devicecheck-missing`.
    @inlinable package static var deviceCheckMissing: Flag { Flag(index: 28) }

    /// `safetynet-completed`.
    @inlinable package static var safetyNetCompleted: Flag { Flag(index: 29) }

    /// `safetynet-fail-token`.
    @inlinable package static var safetyNetFailToken: Flag { Flag(index: 30) }

    /// `safetynet-fail-integrity`.
    @inlinable package static var safetyNetFailIntegrity: Flag { Flag(index: 31) }

    /// `safetynet-fail-profile`.
    @inlinable package static var safetyNetFailProfile: Flag { Flag(index: 32) }

    /// `safetynet-fail-cert`.
    @inlinable package static var safetyNetFailCertificate: Flag { Flag(index: 33) }

    /// `safetynet-unavailable`.
    @inlinable package static var safetyNetUnavailable: Flag { Flag(index: 34) }

    /// `safetynet-missing`.
    @inlinable package static var safetyNetMissing: Flag { Flag(index: 35) }

    /// `risky-device`.
    @inlinable package static var riskyDevice: Flag { Flag(index: 36) }
}
