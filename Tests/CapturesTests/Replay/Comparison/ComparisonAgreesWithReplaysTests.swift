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
            var figures = comparison.before.figures
            // Replays do not keep them.
            figures.groups = nil
            expect(figures.line, equals: before.summary.figures?.line, "seed \(seed)")
            expect(comparison.after.figures.line, equals: after.summary.figures?.line, "seed \(seed)")
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
            expect(actual[key], equals: expected[key], "\(context): \(key)")
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
        expect(expected.filter { !keys.contains($0) }, equals: [])
        // A conjunction that rejects.
        #expect(keys.contains { $0.hasPrefix("rejected/filter/c") })
    }
}

/// The difference of two replays, worked out of their decisions alone, as one line for each figure that is not 0.
struct ReferenceDifference {
    private(set) var lines: [String: String] = [:]
    private let records: [CapturedRecord]
    private let before: [DecisionLine]
    private let after: [DecisionLine]
    private let decided: [Int]

    /// - Parameters:
    ///   - records: The captured records, in the order of time.
    ///   - before: The decisions of the one replay, one for each record.
    ///   - after: Those of the other.
    ///   - unevaluated: The records on which the effect of the change is not known.
    init(_ records: [CapturedRecord], before: [DecisionLine], after: [DecisionLine], unevaluated: Set<Int> = []) {
        (self.records, self.before, self.after) = (records, before, after)
        // A device with an unknown effect is in no figure of changes.
        let devices = Set(unevaluated.map { records[$0].device })
        decided = records.indices.filter { !devices.contains(records[$0].device) }
        note("attestations", records.count)
        note("devices", Set(records.map(\.device)).count)
        noteDevices(except: Set(unevaluated.map { records[$0].device }))
        note("rejected", decided.filter { before[$0].passed && !after[$0].passed }, reasons: after)
        note("accepted", decided.filter { !before[$0].passed && after[$0].passed }, reasons: before)
        for index in decided {
            note("lifetimes/\(before[index].lifetime)/\(after[index].lifetime)", 1)
            noteAnnotations(before[index].annotations, after[index].annotations)
        }
    }

    private mutating func note(_ name: String, _ count: Int) {
        guard count > 0 else { return }
        lines[name] = String(count + (lines[name].flatMap { Int($0) } ?? 0))
    }

    private mutating func noteDevices(except unevaluated: Set<String>) {
        note("unjudged", unevaluated.count)
        let passed = [before, after].map { Set($0.filter(\.passed).map(\.device)).subtracting(unevaluated) }
        note("locked-out", passed[0].subtracting(passed[1]).count)
        note("let-in", passed[1].subtracting(passed[0]).count)
    }

    private mutating func noteAnnotations(_ before: [String]?, _ after: [String]?) {
        guard before != after else { return }
        note("annotations", 1)
        if before == nil { note("annotations/appearing", 1) }
        if after == nil { note("annotations/disappearing", 1) }
        let (old, new) = (Set(before ?? []), Set(after ?? []))
        for flag in new.subtracting(old) { note("annotations/gained/\(flag)", 1) }
        for flag in old.subtracting(new) { note("annotations/lost/\(flag)", 1) }
    }

    // Notes the records that turned one way; their reasons are those of the side that rejects.
    private mutating func note(_ title: String, _ indices: [Int], reasons: [DecisionLine]) {
        note("\(title)/attestations", indices.count)
        note("\(title)/devices", Set(indices.map { records[$0].device }).count)
        var parts: [String: [Int]] = [:]
        for index in indices {
            for rejection in reasons[index].rejections { parts[Self.part(of: rejection), default: []].append(index) }
            let (app, version) = records[index].apps
            if let app { parts["app/\(app)", default: []].append(index) }
            if let version { parts["version/\(version)", default: []].append(index) }
            parts["system/\(records[index].system)", default: []].append(index)
        }
        for (part, indices) in parts {
            let devices = indices.map { records[$0].device }
            lines["\(title)/\(part)"] = "\(indices.count) of \(Set(devices).count), first \(devices[0])"
        }
        noteExamples(title, indices, reasons: reasons)
    }

    private static func part(of rejection: String) -> String {
        if rejection.hasPrefix("filter:") { return "filter/\(rejection.dropFirst(7))" }
        return rejection == "policy:blacklist" ? "other/\(rejection)" : "flag/\(rejection)"
    }

    private mutating func noteExamples(_ title: String, _ indices: [Int], reasons: [DecisionLine]) {
        var groups: [(key: [String], indices: [Int])] = []
        for index in indices {
            let key = [before[index], after[index]].map { "\($0.verdict) \($0.policy) \($0.rejections)" }
            if let known = groups.firstIndex(where: { $0.key == key }) {
                groups[known].indices.append(index)
            } else {
                groups.append((key, [index]))
            }
        }
        // The most frequent first, and among equals the one seen first, since `sorted` is not stable.
        let ordered = groups.enumerated().sorted {
            ($1.element.indices.count, $0.offset) < ($0.element.indices.count, $1.offset)
        }
        for (number, group) in ordered.map(\.element).prefix(10).enumerated() {
            let first = group.indices[0]
            lines["\(title)/example \(number)"] =
                "\(records[first].device) \(records[first].time) \(group.indices.count) \(reasons[first].flags) "
                + group.key.joined(separator: " → ")
        }
    }
}

@Suite struct DeviceSetTests {
    @Test("a set of devices is one, however many there are", arguments: [0, 1, 511, 512, 513, 3000])
    func agreesWithASet(count: Int) {
        var chance = Chance(seed: UInt64(count) + 1)
        var (devices, plain) = (DeviceSet(), Set<Int>())
        for _ in 0..<count {
            let device = chance.below(2 * count)
            devices.insert(device)
            plain.insert(device)
            devices.insert(device)
        }
        expect(devices.count, equals: plain.count)
        expect(devices.elements.sorted(), equals: plain.sorted())
    }
}
