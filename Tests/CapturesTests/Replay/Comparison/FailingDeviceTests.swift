import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// The devices that fail are those of a plain count of decisions, device by device.
@Suite struct FailingDeviceTests {
    typealias Agreement = ComparisonAgreesWithReplaysTests

    // Every other capture does not say which devices were new, and of half of these the account after rejects some new ones.
    private static let samples = Agreement.rows.flatMap { row in
        Exhaustive.seeds(row.seeds, each: 12).enumerated().map { number, seed in
            var sample = Agreement.Sample(row, seed: seed)
            guard number % 2 == 0 else { return sample }
            if number % 4 == 0 { sample.after = rejectingNewDevices(sample.after) }
            sample.records = sample.records.map { record in
                CapturedRecord(
                    device: record.device, time: record.time, seconds: record.seconds,
                    flags: record.flags.filter { $0 != "new-did" }, attributes: record.attributes,
                    verdict: record.verdict)
            }
            return sample
        }
    }

    private static func rejectingNewDevices(_ account: String) -> String {
        let filter = "  - {name: newcomers, key: appid, match: com.a, new-did-only: true, reject: true}\n"
        let filters = "\nfilters:\n"
        return account.contains(filters)
            ? account.replacing(filters, with: filters + filter) : account + filters.dropFirst() + filter
    }

    /// Devices of which it is not known whether they were new do not count, nor do those with a search that was given up. Where the
    /// change does the same in both cases, but both verdicts are open, a device may fail on the other side, too.
    @Test func comparisonsAgree() throws {
        var reached = [0, 0, 0]
        for (number, plain) in Self.samples.enumerated() {
            var sample = plain
            let unsearched = number % 3 == 0 ? [] : UnsearchedValue.add(to: &sample.records, seed: UInt64(number))
            let capture = sample.records.map(\.line).joined()
            let accounts = (
                before: try AccountText.account(sample.before), after: try AccountText.account(sample.after)
            )
            let before = try ReplayBench.replay(capture, account: accounts.before)
            let after = try ReplayBench.replay(capture, account: accounts.after)
            let outcome = try ComparisonBench.compare(
                capture,
                accounts: (
                    try UnsearchedValue.filtered(accounts.before), try UnsearchedValue.filtered(accounts.after)
                )
            )
            let changes = try #require(outcome.comparison?.changes, "sample \(number)")
            let decided = try Agreement.decided(sample, before, after)
            let maybeNew = Set(decided.unevaluated.map { sample.records[$0].device })
            let unknown = maybeNew.union(unsearched)
            reached[0] += maybeNew.subtracting(unsearched).count
            reached[1] += unsearched.subtracting(maybeNew).count
            var least = (before: 0, after: 0)
            for (device, indices) in Dictionary(grouping: sample.records.indices, by: { sample.records[$0].device })
            where !unknown.contains(device) {
                let failed = (
                    before: indices.contains { !decided.before[$0].passed },
                    after: indices.contains { !decided.after[$0].passed }
                )
                if failed.before, !failed.after { least.before += 1 }
                if failed.after, !failed.before { least.after += 1 }
                reached[2] += failed.before != failed.after ? 1 : 0
            }
            let open = changes.failing.open
            #expect((changes.failing.before...changes.failing.before + open).contains(least.before), "sample \(number)")
            #expect((changes.failing.after...changes.failing.after + open).contains(least.after), "sample \(number)")
        }
        #expect(reached.allSatisfy { $0 > 0 }, "\(reached)")
    }

    @Test(arguments: Agreement.rows) func replaysAgree(_ row: Agreement.Row) throws {
        for seed in Exhaustive.seeds(row.seeds, each: 12) {
            let sample = Agreement.Sample(row, seed: seed)
            // With `new-did` in a record it is known which devices are new.
            let capture = sample.records.map(\.line).joined()
            let account = try AccountText.account(RandomAccount.withoutNewDevices(sample.before))
            let replayed = try ReplayBench.replay(capture, account: account)
            let lines = try DecisionLine.read(try #require(replayed.decisions))
            let failing = Dictionary(grouping: lines, by: \.device).values.count { $0.contains { !$0.passed } }
            expect(replayed.summary.figures?.failingDevices, equals: failing, "seed \(seed)")
        }
    }
}
