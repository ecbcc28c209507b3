import PolicyEngine
import Testing

@testable import TestSupport

/// The effect on a capture of a change that removes registrations (R15.2).
@Suite struct RemovedRegistrationTests {
    struct Row: LabelledRow {
        let name: String
        /// The entries of the account's list; `nil` for an account that lists none.
        let registrations: [String]?
        var changes: [String] = []
        /// Such as `app-sig: S, appid: a`, with a comma between lines of the record.
        let records: [String]
        /// The records that carry `app-not-registered` in the end.
        let unregistered: [Int]
    }

    private static let apps = [
        "app-sig: S,appid: a,app-version: 1.0(1)", "app-sig: S,appid: a,app-version: 1.0(2)",
        "app-sig: S,appid: b,app-version: 1.0(1)", "app-sig: T,appid: a,app-version: 1.0(1)", "app-sig: S,appid: a",
        "appid: a,app-version: 1.0(1)", "",
    ]
    private static let (first, second) = (
        "app-sig: S, appid: a, app-version: 1.0(1)", "app-sig: S, appid: a, app-version: 1.0(2)"
    )

    static let rows = [
        Row(name: "no change", registrations: [first], records: apps, unregistered: []),
        Row(name: "no change of an empty list", registrations: [], records: apps, unregistered: []),
        Row(
            name: "a version", registrations: [first, second], changes: ["registration -remove Sa-1.0[1]"],
            records: apps, unregistered: [0]),
        Row(
            name: "both versions", registrations: [first, second],
            changes: ["registration -remove Sa-1.0[1]", "registration -remove Sa-1.0[2]"], records: apps,
            unregistered: [0, 1]),
        Row(
            name: "every version of a package", registrations: ["app-sig: S, appid: a"],
            changes: ["registration -remove Sa-*"], records: apps, unregistered: [0, 1, 4]),
        Row(
            name: "every package of a signature", registrations: ["app-sig: S"], changes: ["registration -remove S*-*"],
            records: apps, unregistered: [0, 1, 2, 4]),
        Row(
            name: "one of another signature", registrations: [first, "app-sig: T, appid: a"],
            changes: ["registration -remove Ta-*"], records: apps, unregistered: [3]),
        Row(
            name: "a version, while every version is registered", registrations: [first, "app-sig: S, appid: a"],
            changes: ["registration -remove Sa-1.0[1]"], records: apps, unregistered: []),
        Row(
            name: "every version, while one is registered", registrations: [first, "app-sig: S, appid: a"],
            changes: ["registration -remove Sa-*"], records: apps, unregistered: [1, 4]),
        Row(
            name: "a version, while every package is registered", registrations: [first, "app-sig: S"],
            changes: ["registration -remove Sa-1.0[1]"], records: apps, unregistered: []),
        Row(
            name: "all of them, one after another", registrations: [first, "app-sig: S, appid: a", "app-sig: S"],
            changes: ["registration -remove Sa-1.0[1]", "registration -remove S*-*", "registration -remove Sa-*"],
            records: apps, unregistered: [0, 1, 2, 4]),
    ]

    // The records are of 2020-07-23T12:00:00Z and the minutes behind it.
    static let expiries = [
        Row(
            name: "one that had ended before", registrations: ["\(first), expiry: 2020-07-23T12:00:00Z"],
            changes: ["registration -remove Sa-1.0[1]"], records: apps, unregistered: []),
        Row(
            name: "one that would have ended later", registrations: ["\(first), expiry: 2020-07-23T12:01:00Z"],
            changes: ["registration -remove Sa-1.0[1]"], records: [apps[0], apps[0], apps[0]], unregistered: [0]),
        Row(
            name: "another that ends while records continue",
            registrations: [first, "app-sig: S, appid: a, expiry: 2020-07-23T12:02:00Z"],
            changes: ["registration -remove Sa-1.0[1]"], records: [apps[0], apps[0], apps[0], apps[0]],
            unregistered: [2, 3]),
    ]

    static let observed = [
        Row(
            name: "what the service saw is kept", registrations: [first],
            records: ["\(apps[0]),public-flags: app-not-registered", "app-sig: Z", apps[0]], unregistered: [0]),
        Row(
            name: "what the service saw is kept after a change", registrations: [first],
            changes: ["registration -remove Sa-1.0[1]"],
            records: [apps[0], "app-sig: Z,public-flags: app-not-registered", "app-sig: Z"], unregistered: [0, 1]),
    ]

    private static func account(_ row: Row) throws -> Account {
        let list = row.registrations.map { "registrations: [\($0.map { "{\($0)}" }.joined(separator: ", "))]" } ?? "{}"
        return try CommandBench.carryOut(row.changes, on: list).account
    }

    @Test(
        "R15.2 the flag is added to what matches, unless another registration stands for it",
        arguments: rows + expiries + observed)
    func adds(_ row: Row) throws {
        let capture = row.records.enumerated().map { number, record in
            let time = "2020-07-23 12:0\(number):00 UTC"
            let id = "h4gubfCFzJu81j/U2BJs0\(number)=="
            let flags = record.contains("public-flags") ? "" : "public-flags:\n"
            return "--- \(id) \(time) ---\n" + flags + record.split(separator: ",").map { "\($0)\n" }.joined()
        }
        let replayed = try ReplayBench.replay(capture.joined(), account: try Self.account(row))
        #expect(replayed.messages == [])
        let lines = try #require(replayed.decisions).joined(separator: "\n")
        let decisions = try WrittenDecision.read(Array(lines.utf8))
        #expect(decisions.count == row.records.count)
        #expect(decisions.filter { $0.flags.contains("app-not-registered") }.map(\.index) == row.unregistered)
        #expect(decisions.filter { $0.verdict == "fail" }.map(\.index) == row.unregistered)
        #expect(replayed.metric("rejection-flag-app-not-registered") == row.unregistered.count)
    }

    @Test("R7.7, R15.2 filters see the flag that is added") func filters() throws {
        let (account, _) = try CommandBench.carryOut(
            ["registration -remove Sa-*"],
            on: """
                registrations: [{app-sig: S, appid: a}]
                filters: [{name: fake, key: flags-all, regex: app-not-registered}]
                """)
        let replayed = try ReplayBench.replay(
            "--- \(SampleDevice.bob) 2020-07-23 12:00:00 UTC ---\napp-sig: S\nappid: a\n", account: account)
        #expect(replayed.metric("filter-fake") == 1)
    }

    @Test("R15.2 whitelist lets them pass, and the flag is there") func whitelist() throws {
        let (account, _) = try CommandBench.carryOut(
            ["policy -set default,whitelist,default", "registration -remove Sa-*"],
            on: "registrations: [{app-sig: S, appid: a}]")
        let replayed = try ReplayBench.replay(
            "--- \(SampleDevice.bob) 2020-07-23 12:00:00 UTC ---\napp-sig: S\nappid: a\n", account: account)
        #expect(replayed.metric("pass-flag-app-not-registered") == 1)
    }
}
