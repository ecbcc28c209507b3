internal import PolicyEngine

/// The limits that an old SDK sets to what its installs can do (R7.8, R9.1, R18.7, R21.4): versions are read once for each
/// text of `sdk-version`.
struct SDKLimits {
    // `nil` where no install says its version.
    private let versionKey: AttributeKey?
    private var known: [ValueNumber: SDKVersion?] = [:]
    /// The versions that the service no longer knows (R20.1).
    var retired: Set<SDKVersion> = []

    /// - Parameter attributes: The attributes, with every key that installs are given.
    init(attributes: borrowing AttributeTable) {
        versionKey = attributes.existingKey(named: "sdk-version")
    }

    /// True if the SDK behind an attestation supports a feature.
    mutating func supports(
        _ feature: SDKFeature, _ attestation: borrowing Attestation, attributes: borrowing AttributeTable
    ) -> Bool {
        version(attestation, attributes: attributes).map(feature.isSupported) ?? true
    }

    /// True if the service no longer knows the SDK behind an attestation.
    mutating func isRetired(_ attestation: borrowing Attestation, attributes: borrowing AttributeTable) -> Bool {
        guard !retired.isEmpty, let version = version(attestation, attributes: attributes) else { return false }
        return version.map(retired.contains) ?? false
    }

    // `nil` where the install does not say its version, and in that for a text that is no version.
    private mutating func version(
        _ attestation: borrowing Attestation, attributes: borrowing AttributeTable
    ) -> SDKVersion?? {
        guard let versionKey else { return nil }
        let value = attestation.value(of: versionKey)
        guard value != .absent else { return nil }
        if let version = known[value] { return version }
        let version = SDKVersion(attributes.text(of: value, for: versionKey))
        known[value] = .some(version)
        return .some(version)
    }

    /// Takes out of an attestation and its evidence what the SDK can neither send nor find out.
    mutating func apply(
        to attestation: inout Attestation, _ evidence: inout DeviceEvidence, attributes: borrowing AttributeTable
    ) {
        guard let versionKey, attestation.value(of: versionKey) != .absent else { return }
        if !supports(.safetyNet, attestation, attributes: attributes) { evidence.safetyNet = nil }
        if let property = attributes.existingKey(named: "user-property"),
            !supports(.userProperties, attestation, attributes: attributes)
        {
            attestation.set(.absent, for: property)
        }
    }
}
