import Documents
import PolicyEngine
import Testing

@testable import Analysis
@testable import Figures
@testable import Replay
@testable import TestSupport

/// The smallest capture still flips, and no record of it can be left out.
@Suite struct CaptureMinimiserTests {
    private static let seeds = 1...UInt64(Exhaustive.count(16, whole: 400))
    private static let names = ["extra-one", "zz-unknown"]

    @Test(arguments: seeds) func noRecordCanGo(_ seed: UInt64) throws {
        let (before, after, capture) = try Self.sample(seed)
        let folder = try TemporaryFolder()
        let request = ReplayRequest(captures: [try folder.write(capture.utf8, to: "1")], account: before)
        let result = CaptureMinimiser(ComparisonRequest(replay: request, after: after)).run()
        // The records are of one device that the comparison names: what turns only because another device's record has
        // `new-did` is left out.
        let named = try Self.changes(capture, before, after)
        let flips = try Set((named.rejected.examples + named.accepted.examples).map(\.device)).contains { device in
            let own = capture.split(separator: "\n").filter { $0.contains(device.description) }
            return try Self.flips(own.map { "\($0)\n" }.joined(), before, after)
        }
        expect(result.records.isEmpty, equals: !flips, "seed \(seed)")
        guard !result.records.isEmpty else { return }
        let lines = result.records.map { KeptRecordText.line(of: $0) }
        #expect(try Self.flips(lines.joined(), before, after), "seed \(seed): \(lines)")
        expect(Set(result.records.map(\.device)).count, equals: 1)
        guard lines.count > 1 else { return }
        for index in lines.indices {
            let rest = lines.indices.filter { $0 != index }.map { lines[$0] }.joined()
            #expect(try !Self.flips(rest, before, after), "seed \(seed): without \(lines[index])")
        }
    }

    /// The random cases have what needs one record, what needs more, and what flips nothing.
    @Test func sizesDiffer() throws {
        var sizes: Set<Int> = []
        for seed in Self.seeds {
            let (before, after, capture) = try Self.sample(seed)
            let folder = try TemporaryFolder()
            let request = ReplayRequest(captures: [try folder.write(capture.utf8, to: "1")], account: before)
            sizes.insert(CaptureMinimiser(ComparisonRequest(replay: request, after: after)).run().records.count)
        }
        #expect(sizes.isSuperset(of: [0, 1, 2]))
    }

    // Accounts that differ by one edit, so that many flips depend on what a device did before.
    private static func sample(_ seed: UInt64) throws -> (before: Account, after: Account, capture: String) {
        var accounts = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        let text = seed % 4 == 0 ? banSeenLater : accounts.text()
        let changed = text.replacing("ban: true", with: "ban: false")
        let policy = seed % 3 == 0 ? text.replacing("regex: did-ban", with: "regex: xposed") : changed
        var captures = RandomCapture(seed: seed << 16, flags: names)
        return (
            try AccountText.account(text), try AccountText.account(policy), captures.records(60).map(\.line).joined()
        )
    }

    // A ban that rejects nothing by itself, and that a filter sees only at the next attestation (R7.7).
    private static let banSeenLater = """
        account: later
        reject-flags: {remove: [did-ban]}
        filters:
          - {name: evil, key: ip, match: 1.2.3.4, ban: true}
          - {name: seen, key: flags-all, regex: did-ban, reject: true}

        """

    private static func changes(
        _ capture: String, _ before: Account, _ after: Account
    ) throws -> ComparisonFigures {
        try #require(try ComparisonBench.compare(capture, accounts: (before, after)).comparison).changes
    }

    private static func flips(_ capture: String, _ before: Account, _ after: Account) throws -> Bool {
        let changes = try Self.changes(capture, before, after)
        return changes.rejected.attestations + changes.accepted.attestations > 0
    }
}
