internal import PolicyEngine
internal import Replay

/// Looks at the attributes of records for one account, and keeps those of one device.
struct ExplainingMatcher: RecordMatcher {
    private var attributeMatcher: AttributeMatcher
    private let device: DeviceID
    private let keys: [(name: String, key: AttributeKey)]
    private let matcher = PatternMatcher()
    // Of the records at hand.
    private var found: [AttributeMatches] = []

    /// What the attributes of a record match; of the device that is explained, the attributes themselves.
    enum Matches: Sendable {
        case found(AttributeMatches)
        case attributes([(name: String, value: String)])
    }

    init(_ account: Account, device: DeviceID, attributes: inout AttributeTable) {
        self.device = device
        attributeMatcher = AttributeMatcher(account, source: .capture, attributes: &attributes)
        // What changed accounts look at besides, which are tried: a filter on the device, registrations that are gone.
        _ = attributes.key(named: "device-id")
        _ = AttributeMatcher(account.withoutRegistrations, source: .capture, attributes: &attributes)
        keys = attributes.keys
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        attributeMatcher.match(batch.attributes, matcher: matcher, into: &found)
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            let isExplained = batch.heads[row].id == device
            matches.append(isExplained ? .attributes(attributes(of: row, in: batch)) : .found(found[row]))
        }
    }

    private func attributes(of row: Int, in batch: borrowing RecordBatch) -> [(name: String, value: String)] {
        var values: [(name: String, value: String)] = []
        for (name, key) in keys {
            if let value = batch.attributes.text(of: key, row: row) { values.append((name, value)) }
        }
        return values
    }
}
