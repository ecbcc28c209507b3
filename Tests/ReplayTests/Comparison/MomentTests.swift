import PolicyEngine
import Statistics
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Sums over devices are those of a plain count of decisions, device by device.
@Suite struct MomentTests {
    /// The sums of one ratio, worked out one device after another.
    struct Sums: Hashable {
        var sums = [0, 0, 0, 0, 0, 0]

        mutating func add(_ x: Int, _ y: Int) {
            for (index, value) in [1, x, y, x * x, x * y, y * y].enumerated() { sums[index] += value }
        }

        init() {}

        init(_ moments: RatioMoments) {
            sums = [
                moments.count, Int(moments.numerators), Int(moments.denominators), Int(moments.numeratorSquares),
                Int(moments.products), Int(moments.denominatorSquares),
            ]
        }
    }

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

    /// Devices of which it is not known whether they were new are in no sum, nor are those with a search that was given up.
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
            ) { ($0.keepsMoments, $0.searchBudget) = (true, UnsearchedValue.budget) }
            let moments = try #require(outcome.comparison?.changes.moments, "sample \(number)")
            let decided = try Agreement.decided(sample, before, after)
            let maybeNew = Set(decided.unevaluated.map { sample.records[$0].device })
            let unknown = maybeNew.union(unsearched)
            reached[0] += maybeNew.subtracting(unsearched).count
            reached[1] += unsearched.subtracting(maybeNew).count
            reached[2] += Set(sample.records.map(\.device)).subtracting(unknown).count
            var (rejected, accepted, failing, annotated, fetches) = (Sums(), Sums(), Sums(), Sums(), Sums())
            var rest = Sums()
            for (device, indices) in Dictionary(grouping: sample.records.indices, by: { sample.records[$0].device }) {
                let total = indices.count
                guard !unknown.contains(device) else {
                    rest.add(total, total)
                    continue
                }
                let turned = indices.filter { decided.before[$0].passed && !decided.after[$0].passed }.count
                let returned = indices.filter { !decided.before[$0].passed && decided.after[$0].passed }.count
                rejected.add(turned, total)
                accepted.add(returned, total)
                failing.add(turned - returned, total)
                annotated.add(
                    indices.filter { decided.before[$0].annotations != decided.after[$0].annotations }.count, total)
                let thousandths = indices.map { index in
                    (2000 * decided.before[index].lifetime + decided.after[index].lifetime)
                        / (2 * decided.after[index].lifetime)
                }
                fetches.add(thousandths.reduce(0, +), total)
            }
            #expect(Sums(moments.rejected.known) == rejected, "sample \(number)")
            #expect(Sums(moments.accepted.known) == accepted, "sample \(number)")
            #expect(Sums(moments.failing.known) == failing, "sample \(number)")
            #expect(Sums(moments.annotated.known) == annotated, "sample \(number)")
            #expect(Sums(moments.fetches) == fetches, "sample \(number)")
            for part in [moments.rejected, moments.accepted, moments.failing, moments.annotated] {
                #expect(Sums(part.unknown) == rest, "sample \(number)")
            }
        }
        #expect(reached.allSatisfy { $0 > 0 }, "\(reached)")
    }

    @Test(arguments: Agreement.rows) func replaysAgree(_ row: Agreement.Row) throws {
        for seed in Exhaustive.seeds(row.seeds, each: 12) {
            let sample = Agreement.Sample(row, seed: seed)
            // With `new-did` in a record it is known which devices are new.
            let capture = sample.records.map(\.line).joined()
            let account = try AccountText.account(RandomAccount.withoutNewDevices(sample.before))
            let replayed = try ReplayBench.replay(capture, account: account) { $0.keepsMoments = true }
            let moments = try #require(replayed.summary.figures?.moments, "seed \(seed)")
            let lines = try DecisionLine.read(try #require(replayed.decisions))
            var (failing, devices) = (Sums(), 0)
            for decisions in Dictionary(grouping: lines, by: \.device).values {
                let failed = decisions.filter { !$0.passed }.count
                failing.add(failed, decisions.count)
                if failed > 0 { devices += 1 }
            }
            #expect(Sums(moments.failing.known) == failing, "seed \(seed)")
            #expect(Sums(moments.failing.unknown) == Sums(), "seed \(seed)")
            #expect(moments.failingDevices == devices, "seed \(seed)")
        }
    }

    @Test func nothingIsKeptUnlessAskedFor() throws {
        let sample = Agreement.Sample(Agreement.rows[0], seed: 1)
        let capture = sample.records.map(\.line).joined()
        let outcome = try ComparisonBench.compare(capture, before: sample.before, after: sample.after)
        #expect(outcome.comparison != nil && outcome.comparison?.changes.moments == nil)
        let replayed = try ReplayBench.replay(capture, account: try AccountText.account(sample.before))
        #expect(replayed.summary.figures != nil && replayed.summary.figures?.moments == nil)
    }

    @Test("sums that no devices have are refused in a part, and large ones are texts") func parts() throws {
        var moments = RatioMoments()
        moments.add(3 << 39, over: 1 << 40)
        moments.add(-2, over: 5)
        let square = "\((Int128(3 << 39) * Int128(3 << 39)) + 4)"
        let line = String(decoding: moments.partial.bytes, as: UTF8.self)
        #expect(line.contains(#""xx":"\#(square)""#), "\(line)")
        func read(_ text: String) throws -> RatioMoments {
            try RatioMoments(PartialReader(try JSONParser.parse(Array(text.utf8), maximumNesting: 8)))
        }
        #expect(Sums128(try read(line)) == Sums128(moments))
        let small = #"{"devices":1,"x":1,"y":2,"xx":1,"xy":2,"yy":4}"#
        #expect(try read(small).products == 2)
        for (old, new) in [
            (#""xx":1"#, #""xx":-1"#), (#""xx":1"#, #""xx":0"#), (#""y":2"#, #""y":5"#), (#""xx":1"#, #""xx":"x""#),
        ] {
            #expect(throws: PartialFailure.self) { try read(small.replacing(old, with: new)) }
        }
    }

    private struct Sums128: Hashable {
        let sums: [Int128]
        init(_ moments: RatioMoments) {
            sums = [
                Int128(moments.count), moments.numerators, moments.denominators, moments.numeratorSquares,
                moments.products, moments.denominatorSquares,
            ]
        }
    }
}
