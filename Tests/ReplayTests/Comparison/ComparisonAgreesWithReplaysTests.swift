import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// A comparison of two accounts is the difference of their two replays.
@Suite struct ComparisonAgreesWithReplaysTests {
    struct Row: LabelledRow {
        let name: String
        let seeds: ClosedRange<UInt64>
        /// The flags that each account declares: names, `!` behind those that are risks.
        let before, after: String
    }

    static let attestations = 40
    static let rows = [
        Row(name: "built-in flags", seeds: 1...75, before: "", after: ""),
        Row(name: "the same flags", seeds: 101...175, before: "extra-one! extra-two", after: "extra-one! extra-two"),
        Row(
            name: "the same flags in another order", seeds: 201...275, before: "extra-one! extra-two",
            after: "extra-two extra-one!"),
        Row(
            name: "the same flags, another risk", seeds: 301...370, before: "extra-one! extra-two",
            after: "extra-one extra-two!"),
        Row(name: "flags before only", seeds: 401...470, before: "extra-one! extra-two", after: ""),
        Row(name: "flags after only", seeds: 501...570, before: "", after: "extra-two! extra-one"),
        Row(
            name: "some in both", seeds: 601...675, before: "extra-one extra-two!",
            after: "zz-unknown! extra-two extra-three"),
    ]

    /// Both accounts and the capture of a seed.
    struct Sample {
        var before, after: String
        var records: [CapturedRecord]

        init(_ row: Row, seed: UInt64) {
            var before = RandomAccount(seed: seed, flags: Self.flags(row.before))
            var after = RandomAccount(seed: ~seed, flags: Self.flags(row.after))
            var capture = RandomCapture(
                seed: seed << 16, flags: ["extra-one", "extra-two", "extra-three", "zz-unknown", "aa-unknown"])
            self.before = before.text()
            self.after = after.text()
            records = capture.records(ComparisonAgreesWithReplaysTests.attestations)
        }

        private static func flags(_ text: String) -> [RandomAccount.Declared] {
            text.split(separator: " ").map {
                RandomAccount.Declared(name: String($0.prefix { $0 != "!" }), isRisk: $0.hasSuffix("!"))
            }
        }
    }

    @Test(arguments: rows) func agrees(_ row: Row) throws {
        for seed in Exhaustive.seeds(row.seeds, each: 16) {
            let sample = Sample(row, seed: seed)
            let capture = sample.records.map(\.line).joined()
            let before = try ReplayBench.replay(capture, account: try AccountText.account(sample.before))
            let after = try ReplayBench.replay(capture, account: try AccountText.account(sample.after))
            let outcome = try ComparisonBench.compare(capture, before: sample.before, after: sample.after)
            let comparison = try #require(outcome.comparison, "seed \(seed)")
            let expected = try Self.difference(sample, before, after).lines
            Self.expectEqual(comparison.changes.lines, expected, "seed \(seed)")
            #expect(comparison.before.figures.line == before.summary.figures?.line, "seed \(seed)")
            #expect(comparison.after.figures.line == after.summary.figures?.line, "seed \(seed)")
        }
    }

    private static func difference(
        _ sample: Sample, _ before: Replayed, _ after: Replayed
    ) throws -> ReferenceDifference {
        let decided = try decided(sample, before, after)
        return ReferenceDifference(
            sample.records, before: decided.before, after: decided.after, unevaluated: decided.unevaluated)
    }

    /// The decisions of two replays, and the records of which the difference is not known. If no record says which devices were new, an effect is known only if it is the same
    /// whether or not each of them was.
    static func decided(
        _ sample: Sample, _ before: Replayed, _ after: Replayed
    ) throws -> (before: [DecisionLine], after: [DecisionLine], unevaluated: Set<Int>) {
        let decisions = try [before, after].map { try DecisionLine.read(try #require($0.decisions)) }
        guard !sample.records.contains(where: { $0.flags.contains("new-did") }) else {
            return (decisions[0], decisions[1], [])
        }
        let capture = sample.records.map(\.line).joined()
        let others = try [sample.before, sample.after].map { text in
            let account = try AccountText.account(RandomAccount.withoutNewDevices(text))
            return try DecisionLine.read(try #require(try ReplayBench.replay(capture, account: account).decisions))
        }
        func change(_ sides: [[DecisionLine]], _ index: Int) -> String {
            let (old, new) = (sides[0][index].passed, sides[1][index].passed)
            return old == new ? "none" : new ? "accepted" : "rejected"
        }
        let unevaluated = sample.records.indices.filter { change(decisions, $0) != change(others, $0) }
        return (others[0], others[1], Set(unevaluated))
    }

    // Shows the lines that differ, and not all of them.
    private static func expectEqual(_ actual: [String: String], _ expected: [String: String], _ context: String) {
        for key in Set(actual.keys).union(expected.keys).sorted() {
            #expect(actual[key] == expected[key], "\(context): \(key)")
        }
    }

    @Test func reachesEveryKindOfChange() throws {
        var keys: Set<String> = []
        for seed in Self.rows[1].seeds {
            let sample = Sample(Self.rows[1], seed: seed)
            let outcome = try ComparisonBench.compare(
                sample.records.map(\.line).joined(), before: sample.before, after: sample.after)
            keys.formUnion(try #require(outcome.comparison).changes.lines.keys)
        }
        let expected = [
            "rejected/flag/rooted", "rejected/flag/did-ban", "accepted/flag/rooted", "rejected/filter/f0",
            "rejected/other/policy:blacklist", "accepted/other/policy:blacklist",
            "accepted/filter/f0", "rejected/app/and-com.a", "rejected/version/ios-com.b-2.0",
            "accepted/version/unknown-com.a-1.0", "rejected/system/unknown", "lifetimes/300/45", "lifetimes/120/300",
            "lifetimes/300/120", "lifetimes/45/120", "annotations/appearing", "annotations/disappearing",
            "annotations/gained/risky-device", "annotations/lost/extra-one", "locked-out", "let-in",
            "rejected/example 3", "accepted/example 3", "unjudged",
        ]
        #expect(expected.filter { !keys.contains($0) } == [])
        // A conjunction that rejects.
        #expect(keys.contains { $0.hasPrefix("rejected/filter/c") })
    }
}
