/// What is known of one property flag (R2.1): a row of the catalogue.
public struct PropertyFlag: Hashable, Sendable {
    /// The name in policies, captures and reports, such as `rooted`.
    public let name: String
    /// The systems on which it can occur; empty where nobody knows.
    public let platforms: [OperatingSystem]
    /// The detection that it belongs to.
    public let kind: Kind
    /// Whether it makes the device risky (R10, step 6).
    public let isRisk: Bool
    /// Whether it is direct evidence of tampering with the SDK.
    public let isEvidenceAgainstSDK: Bool
    /// Whether the manual gives the name.
    public let isNamedInManual: Bool
    /// Whether the engine can set it itself (R2.4).
    public let isDerived: Bool
    /// One sentence for people.
    public let meaning: String

    /// The detections of the manual's table "Detection Capabilities".
    public enum Kind: String, Hashable, Sendable, CaseIterable {
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
