import PolicyEngine
import Replay

/// Tells what the attributes of each record are.
struct ListingMatcher: RecordMatcher {
    struct Matches: Sendable {
        let system: OperatingSystem
        let attributes: [(name: String, value: String)]
    }

    private let keys: [(name: String, key: AttributeKey)]

    /// - Parameter names: The attributes to tell.
    init(_ names: [String], attributes: inout AttributeTable) {
        for name in names { _ = attributes.key(named: name) }
        keys = attributes.keys
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        matches = batch.heads.indices.map { row in
            var told: [(name: String, value: String)] = []
            for (name, key) in keys {
                if let value = batch.attributes.text(of: key, row: row) { told.append((name, value)) }
            }
            return Matches(system: batch.heads[row].system, attributes: told)
        }
    }
}
