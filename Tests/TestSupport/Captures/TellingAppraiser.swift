import PolicyEngine

import Replay

/// Tells what the attributes of each record are.
struct TellingAppraiser: RecordAppraiser {
    struct Findings: Sendable {
        let system: OperatingSystem
        let attributes: [(name: String, value: String)]
    }

    private let keys: [(name: String, key: AttributeKey)]

    /// - Parameter names: The attributes to tell.
    init(_ names: [String], attributes: inout AttributeTable) {
        for name in names { _ = attributes.key(named: name) }
        keys = attributes.keys
    }

    mutating func appraise(_ batch: borrowing RecordBatch, into findings: inout [Findings]) {
        findings = batch.heads.indices.map { row in
            var told: [(name: String, value: String)] = []
            for (name, key) in keys {
                if let value = batch.attributes.text(of: key, row: row) { told.append((name, value)) }
            }
            return Findings(system: batch.heads[row].system, attributes: told)
        }
    }
}
