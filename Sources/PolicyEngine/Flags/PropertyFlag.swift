/// One property flag (R2.1): a row of the catalogue.
package struct PropertyFlag: Hashable, Sendable {
    /// The name in policies, captures and reports, such as `rooted`.
    @ByteExact package private(set) var name: String
    /// The systems on which it can occur; empty where nobody knows.
    package let platforms: [OperatingSystem]
    /// The detection that it belongs to.
    package let kind: Kind
    /// True if it makes the device risky (R10, step 6).
    package let isRisk: Bool
    /// True if it is direct evidence of tampering with the SDK.
    package let isEvidenceAgainstSDK: Bool
    /// True if the manual gives the name.
    package let isNamedInManual: Bool
    /// True if the engine can set it itself (R2.4).
    package let isDerived: Bool
    /// One sentence for people.
    @ByteExact package private(set) var meaning: String

    /// The detections of the manual's table "Detection Capabilities".
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case authenticity, spoofing, tampering, rooting, framework, jailbreaking, emulation, cloning, debugging
        case automation, unpinning, information, banning, devicecheck, safetynet
        /// Declared by an account, or brought by a capture.
        case declared, unknown
    }

    init(
        _ name: String,
        _ platforms: [OperatingSystem],
        _ kind: Kind,
        isRisk: Bool = false,
        isEvidenceAgainstSDK: Bool = false,
        isNamedInManual: Bool = true,
        isDerived: Bool = false,
        means meaning: String
    ) {
        self.name = name
        self.platforms = platforms
        self.kind = kind
        self.isRisk = isRisk
        self.isEvidenceAgainstSDK = isEvidenceAgainstSDK
        self.isNamedInManual = isNamedInManual
        self.isDerived = isDerived
        self.meaning = meaning
    }
}
