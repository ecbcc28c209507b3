internal import PolicyEngine

/// Looks at the attributes of records for one account, and keeps those of one device.
struct ExplainingAppraiser: RecordAppraiser {
    private var appraiser: AttributeAppraiser
    private let device: DeviceID
    private let keys: [(name: String, key: AttributeKey)]
    private let matcher = PatternMatcher()

    /// What the attributes of a record come to; of the device that is explained, what they are.
    enum Findings: Sendable {
        case found(AttributeFindings)
        case attributes([(name: String, value: String)])
    }

    init(_ account: Account, device: DeviceID, attributes: inout AttributeTable) {
        self.device = device
        appraiser = AttributeAppraiser(account, judging: .capture, attributes: &attributes)
        keys = attributes.keys
    }

    mutating func appraise(_ record: borrowing CaptureRecord, in attributes: borrowing AttributeTable) -> Findings {
        guard record.id == device else {
            return .found(appraiser.appraise(record.attestation, in: attributes, matcher: matcher))
        }
        var values: [(name: String, value: String)] = []
        for (name, key) in keys {
            let value = record.attestation.value(of: key)
            if value != .absent { values.append((name, attributes.text(of: value, for: key))) }
        }
        return .attributes(values)
    }
}
