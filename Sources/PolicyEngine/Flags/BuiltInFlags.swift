/// The flags that the service itself knows, in catalogue order: the one table of them (R2.1).
///
/// The manual names most; where it describes a detection without naming it, the name is ours (`isNamedInManual`).
enum BuiltInFlags {
    // swift-format-ignore: a row of the table stays on its line.
    static let all: [PropertyFlag] = [
        PropertyFlag(
            "app-not-registered", [.android, .ios], .authenticity,
            means: "App is not registered, which may indicate that it is fake or tampered"),
        PropertyFlag(
            "bad-hmac", [.android, .ios], .spoofing, isRisk: true, isEvidenceAgainstSDK: true,
            means: "Integrity code of the request does not match"),
        PropertyFlag(
            "sdk-tampered", [.android, .ios], .spoofing, isRisk: true, isEvidenceAgainstSDK: true,
            isNamedInManual: false, means: "The protected core of the SDK was changed"),
        PropertyFlag(
            "memory-tampered", [.android, .ios], .tampering, isRisk: true, isNamedInManual: false,
            means: "Suspicious change in the app's memory layout"),
        PropertyFlag("rooted", [.android], .rooting, isRisk: true, means: "Device is rooted, Magisk included"),
        PropertyFlag(
            "root-risk", [.android], .rooting, isRisk: true, means: "Signs that often go with rooting are present"),
        PropertyFlag("xposed", [.android], .framework, isRisk: true, means: "Xposed is present"),
        PropertyFlag(
            "xposed-hostile", [.android], .framework, isRisk: true, isNamedInManual: false,
            means: "An active Xposed module implicated in stealing data"),
        PropertyFlag("jailbroken", [.ios], .jailbreaking, isRisk: true, means: "Device is jailbroken"),
        PropertyFlag("cydia", [.ios], .framework, isRisk: true, isNamedInManual: false, means: "Cydia is present"),
        PropertyFlag("cycript", [.ios], .framework, isRisk: true, isNamedInManual: false, means: "Cycript is present"),
        PropertyFlag(
            "frida", [.android, .ios], .framework, isRisk: true, isNamedInManual: false,
            means: "Frida is present or attached"),
        PropertyFlag(
            "emulator", [.android], .emulation, isRisk: true, isNamedInManual: false,
            means: "App runs on an Android emulator"),
        PropertyFlag("ios-simulator", [.ios], .emulation, isRisk: true, means: "App runs on an iOS simulator"),
        PropertyFlag(
            "cloned", [.android], .cloning, isRisk: true, isNamedInManual: false, means: "App runs inside a cloning app"
        ),
        PropertyFlag(
            "debug", [.android, .ios], .debugging, isRisk: true, isNamedInManual: false,
            means: "A debugger or a debug environment is present"),
        PropertyFlag("automated", [.android, .ios], .automation, means: "App is driven by an automation tool"),
        PropertyFlag("automated-launch", [.android], .automation, means: "App was launched in an automated way"),
        PropertyFlag("non-standard-launch", [.android], .automation, means: "App was launched in a non-standard way"),
        PropertyFlag(
            "pinning-tampered", [.android, .ios], .unpinning, isRisk: true,
            means: "Pinning self-test connected where it must not"),
        PropertyFlag(
            "init-config-outdated", [.android, .ios], .information, means: "App's built-in configuration is old"),
        PropertyFlag("did-ban", [.android, .ios], .banning, isDerived: true, means: "Device ID is banned"),
        PropertyFlag("did-unban", [.android, .ios], .banning, isDerived: true, means: "Device ID was unbanned"),
        PropertyFlag(
            "new-did", [.android, .ios], .information, isDerived: true, means: "Device ID was not seen before"),
        PropertyFlag("devicecheck-completed", [.ios], .devicecheck, means: "DeviceCheck was completed"),
        PropertyFlag("devicecheck-failed", [.ios], .devicecheck, means: "DeviceCheck token is invalid"),
        PropertyFlag(
            "devicecheck-unavailable", [.ios], .devicecheck, means: "DeviceCheck is not available on the device"),
        PropertyFlag("devicecheck-ban", [.ios], .devicecheck, means: "Physical device is banned through DeviceCheck"),
        PropertyFlag(
            "devicecheck-missing", [.ios], .devicecheck, isNamedInManual: false, isDerived: true,
            means: "DeviceCheck is enabled but was not done"),
        PropertyFlag("safetynet-completed", [.android], .safetynet, means: "SafetyNet attestation was completed"),
        PropertyFlag("safetynet-fail-token", [.android], .safetynet, isRisk: true, means: "SafetyNet token is invalid"),
        PropertyFlag(
            "safetynet-fail-integrity", [.android], .safetynet, isRisk: true,
            means: "SafetyNet basic integrity is false"),
        PropertyFlag(
            "safetynet-fail-profile", [.android], .safetynet, isRisk: true, means: "SafetyNet profile match is false"),
        PropertyFlag(
            "safetynet-fail-cert", [.android], .safetynet, isRisk: true,
            means: "SafetyNet app certificate digest is not an expected one"),
        PropertyFlag(
            "safetynet-unavailable", [.android], .safetynet, means: "SafetyNet attestation could not be obtained"),
        PropertyFlag(
            "safetynet-missing", [.android], .safetynet, isNamedInManual: false, isDerived: true,
            means: "SafetyNet is enabled but was not done"),
        PropertyFlag(
            "risky-device", [.android, .ios], .information, isDerived: true,
            means: "Device has a risk flag or matches a risky filter"),
    ]
}
