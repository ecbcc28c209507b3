import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R1.5 The history of an account") struct AccountHistoryTests {
    struct Row: LabelledRow {
        let label: String
        let propagation: Int
        let changes: [Int]
        let second: Int
        let revision: Int
    }

    static let rows = [
        Row(label: "no change", propagation: 30, changes: [], second: 0, revision: 0),
        Row(label: "before everything", propagation: 30, changes: [100], second: -1_000_000_000, revision: 0),
        Row(label: "a second early", propagation: 30, changes: [100], second: 129, revision: 0),
        Row(label: "that second included", propagation: 30, changes: [100], second: 130, revision: 1),
        Row(label: "between two changes", propagation: 30, changes: [100, 110], second: 139, revision: 1),
        Row(label: "the second of two", propagation: 30, changes: [100, 110], second: 140, revision: 2),
        Row(label: "two at once", propagation: 30, changes: [100, 100], second: 130, revision: 2),
        Row(label: "without propagation", propagation: 0, changes: [100], second: 100, revision: 1),
        Row(label: "without propagation, a second early", propagation: 0, changes: [100], second: 99, revision: 0),
        Row(
            label: "several at one time without propagation", propagation: 0, changes: [5, 5, 5], second: 5, revision: 3
        ),
        Row(label: "before 1970", propagation: 30, changes: [-100], second: -70, revision: 1),
        Row(label: "a day", propagation: 86_400, changes: [0], second: 86_399, revision: 0),
    ]

    @Test("R1.5 which revision is in force", arguments: rows) func revisionInForce(_ row: Row) {
        var account = Account(catalogue: FlagCatalogue())
        account.propagation = row.propagation
        var history = AccountHistory(account)
        for (number, second) in row.changes.enumerated() {
            account.grace = number + 100
            history.change(to: account, at: Instant(secondsSinceEpoch: second))
        }
        let now = Instant(secondsSinceEpoch: row.second)
        #expect(history.revision(inForceAt: now, from: 0) == row.revision)
        #expect(history.revision(inForceAt: now, from: row.revision) == row.revision)
        #expect(history.latest.grace == (row.changes.isEmpty ? 10 : row.changes.count + 99))
        #expect(history.revisions.count == row.changes.count + 1)
        #expect(history.revisions[0].inForceFrom == nil)
    }
}
