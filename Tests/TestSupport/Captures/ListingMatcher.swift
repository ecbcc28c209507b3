import PolicyEngine

@testable import Replay

/// Lists the attributes of each record.
struct ListingMatcher: RecordMatcher {
    struct Matches: RecordMatches {
        let system: OperatingSystem
        let attributes: [(name: String, value: String)]

        var app: AppNumbers {
            get { .none }
            set {}
        }

        // Filters look at the attributes themselves.
        subscript(account: Int) -> AttributeMatches {
            get { .none }
            set {}
        }
    }

    private let columns: [(name: String, column: Int)]

    /// - Parameter names: The attributes to list.
    init(_ names: [String], fields: inout CaptureFields) {
        columns = names.map { ($0, fields.column(of: $0)) }
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        matches = batch.heads.indices.map { row in
            var told: [(name: String, value: String)] = []
            for (name, column) in columns {
                if let value = batch.text(row, column: column) { told.append((name, value)) }
            }
            return Matches(system: batch.heads[row].system, attributes: told)
        }
    }
}
