import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

/// Comparisons of accounts that declare different flags: each side numbers and orders them as it does alone (R2.3).
@Suite struct DeclaredFlagComparisonTests {
    private static func record(_ second: Int, _ flags: String) -> String {
        #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(SampleDevice.bob)","flags":"\#(flags)"}"# + "\n"
    }

    private static func flags(_ names: String...) -> String {
        "flags: [" + names.map { "{name: \($0)}" }.joined(separator: ", ") + "]\n"
    }

    private static func filter(_ regex: String) -> String {
        "filters: [{name: order, key: flags-all, regex: '\(regex)', reject: true}]\n"
    }

    struct Row: LabelledRow {
        let name, before, after: String
        let capture: String
        /// By record: whether it passes before and after.
        let verdicts: [String]
    }

    static let rows = [
        Row(
            name: "the same names in another order", before: flags("one", "two") + filter("^one,two$"),
            after: flags("two", "one") + filter("^one,two$"), capture: record(0, "two,one") + record(1, "one"),
            verdicts: ["fail → pass", "pass → pass"]),
        Row(
            name: "declared after only: unknown before, so in order of first sight", before: filter("^new,two,one$"),
            after: flags("one", "two") + filter("^one,two,new$"),
            capture: record(0, "new,two") + record(1, "one,two,new"), verdicts: ["pass → pass", "fail → fail"]),
        Row(
            name: "declared before only", before: flags("one", "two") + filter("^one,two$"),
            after: filter("^two,one$"), capture: record(0, "two,one"), verdicts: ["fail → fail"]),
        Row(
            name: "another flag at the index of the first", before: flags("one") + "reject-flags: {add: [one]}",
            after: flags("two") + "reject-flags: {add: [two]}",
            capture: record(0, "one") + record(1, "two") + record(2, "one,two") + record(3, ""),
            verdicts: ["fail → pass", "pass → fail", "fail → fail", "pass → pass"]),
        Row(
            name: "another risk affects lifetimes only", before: "flags: [{name: one, risk: true}]",
            after: "flags: [{name: one}]", capture: record(0, "one"), verdicts: ["pass → pass"]),
    ]

    @Test(arguments: rows) func evaluatesEachSideByItsOwnFlags(_ row: Row) throws {
        let sides = try [row.before, row.after].map { text in
            try ReplayBench.replay(row.capture, account: try AccountText.account(text)).decisions ?? []
        }
        let verdicts = try zip(DecisionLine.read(sides[0]), DecisionLine.read(sides[1])).map {
            "\($0.verdict) → \($1.verdict)"
        }
        #expect(verdicts == row.verdicts)
        let outcome = try ComparisonBench.compare(row.capture, before: row.before, after: row.after)
        let comparison = try #require(outcome.comparison)
        #expect(comparison.changes.rejected.attestations == row.verdicts.count { $0 == "pass → fail" })
        #expect(comparison.changes.accepted.attestations == row.verdicts.count { $0 == "fail → pass" })
        #expect(comparison.before.figures.metrics["pass"] == row.verdicts.count { $0.hasPrefix("pass") })
        #expect(comparison.after.figures.metrics["pass"] == row.verdicts.count { $0.hasSuffix("pass") })
    }

    @Test func aRiskThatGoesMakesTokensLiveLonger() throws {
        let outcome = try ComparisonBench.compare(
            Self.record(0, "one"), before: "flags: [{name: one, risk: true}]", after: "flags: [{name: one}]")
        let lifetimes = try #require(outcome.comparison).changes.lifetimes.map {
            [$0.before, $0.after, $0.attestations]
        }
        #expect(lifetimes == [[120, 300, 1]])
    }

    @Test func thePolicyDifferenceNamesFlagsThatOneSideDeclares() throws {
        let outcome = try ComparisonBench.compare(
            Self.record(0, ""), before: Self.flags("one", "both") + "reject-flags: {add: [one, both]}",
            after: Self.flags("both", "two") + "reject-flags: {add: [two], remove: [debug]}")
        let difference = try #require(outcome.comparison).difference
        #expect(
            difference.flags.map { "\($0.name): \($0.before.rawValue) → \($0.after.rawValue)" } == [
                "debug: rejects → accepts", "one: rejects → accepts", "both: rejects → accepts",
                "two: accepts → rejects",
            ])
        #expect(difference.others == [])
    }

    @Test func annotationsAreComparedByName() throws {
        let outcome = try ComparisonBench.compare(
            Self.record(0, "one,two,new"), before: Self.flags("one", "two") + "policy: default,whitelist,one",
            after: Self.flags("two", "one") + "policy: default,whitelist,all")
        let annotations = try #require(outcome.comparison).changes.annotations
        #expect(annotations.gained == ["two": 1, "new": 1, "new-did": 1])
        #expect(annotations.lost == [:])
    }

    // 37 flags are built in, which leaves 91 for an account.
    private static func many(_ letter: String, _ count: Int) -> String {
        "flags: [" + (0..<count).map { "{name: \(letter)-\($0)}" }.joined(separator: ", ") + "]\n"
    }

    @Test func twoAccountsMayDeclareAsManyFlagsAsOne() throws {
        let outcome = try ComparisonBench.compare(
            Self.record(0, "a-0,b-5"), before: Self.many("a", 90) + "reject-flags: {add: [a-0]}",
            after: Self.many("b", 90) + "reject-flags: {add: [b-89]}")
        let comparison = try #require(outcome.comparison)
        #expect(comparison.changes.accepted.attestations == 1)
        #expect(outcome.diagnostics.isEmpty)
    }

    @Test func aRecordWithOneFlagTooManyForASideIsMalformed() throws {
        let capture = Self.record(0, "a-0") + Self.record(1, "a-0,too-many") + Self.record(2, "a-0")
        let refused = try ComparisonBench.compare(capture, before: Self.many("a", 91), after: "account: b")
        #expect(refused.comparison == nil)
        #expect(
            refused.diagnostics.all.map { "\($0.line ?? 0): \($0.severity.rawValue): \($0.message)" } == [
                "2: error: flag `too-many` is one too many; there can be at most 128 flags"
            ])
        let skipped = try ComparisonBench.compare(capture, before: "account: b", after: Self.many("a", 91)) {
            $0.skipsMalformed = true
        }
        let comparison = try #require(skipped.comparison)
        #expect(comparison.changes.attestations == 2)
        #expect(comparison.before.figures.metrics["fail-bad-request"] == 1)
        #expect(comparison.after.figures.metrics["fail-bad-request"] == 1)
    }
}
