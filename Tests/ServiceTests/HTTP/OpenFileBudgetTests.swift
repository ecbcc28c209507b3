import Testing

@testable import HTTP
@testable import TestSupport

/// The number of connections that the limit of open files leaves.
@Suite struct OpenFileBudgetTests {
    // With two threads: two files each, and 16 to spare.
    static let rows: [(limit: Int, used: Int, connections: Int?)] = [
        (1024, 10, 994), (1230, 10, 1200), (100_000, 10, 1200), (46, 10, 16), (45, 10, nil), (40, 10, nil), (0, 0, nil),
        (79, 10, 49),
    ]

    @Test("R23.6 connections follow from the limit of open files", arguments: rows)
    func connections(row: (limit: Int, used: Int, connections: Int?)) throws {
        let budget = OpenFileBudget(limit: row.limit, used: row.used)
        guard let expected = row.connections else {
            #expect(throws: ListeningFailure.tooFewFiles(row.limit, needed: row.used + 36)) {
                try budget.connections(wanted: 1200, threads: 2)
            }
            return
        }
        try expect(budget.connections(wanted: 1200, threads: 2), equals: expected)
    }

    // 64 threads take 128 files, which with 10 that are open and 16 to spare are 154.
    static let pools: [(limit: Int, wanted: Int, threads: Int)] = [
        (1300, 64, 2), (1353, 64, 2), (1354, 64, 64), (79, 2, 2), (5000, 1, 2),
    ]

    @Test("R23.6 threads leave files to connections", arguments: pools)
    func threads(row: (limit: Int, wanted: Int, threads: Int)) {
        let budget = OpenFileBudget(limit: row.limit, used: 10)
        expect(budget.threads(wanted: row.wanted, connections: 1200), equals: row.threads)
    }

    @Test("R23.6 who wants few connections needs few files") func few() throws {
        try expect(OpenFileBudget(limit: 35, used: 10).connections(wanted: 5, threads: 2), equals: 5)
    }

    @Test("R23.6 what the system gives is asked for") func asking() {
        let budget = OpenFileBudget.asking(forConnections: 20, threads: 2)
        #expect(budget.used >= 3 && budget.limit >= budget.used + 40)
    }
}
