import Accounts
import PolicyEngine
import Testing

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// The edits that are found are those that trying every set of edits on every record finds.
@Suite struct EditSearchTests {
    /// A random account, records, and few edits to choose from.
    private struct Problem {
        let account: Account
        let records: [KeptRecord]
        let commands: [ManagementCommand]
        var chance: Chance

        init(seed: UInt64) throws {
            var accounts = RandomAccount(seed: seed, flags: [])
            account = try AccountText.account(accounts.text())
            var captures = RandomCapture(seed: seed << 18, flags: ["frida"])
            let folder = try TemporaryFolder()
            let path = try folder.write(captures.records(40).map(\.line).joined().utf8, to: "capture.jsonl")
            let keys = CaptureRecords.keys(for: account) + ["ip", "appid", "app-version", "user-property"]
            records = CaptureRecords(ReplayRequest(captures: [path], account: account), keys: keys).read().records
            chance = Chance(seed: seed)
            let all = SingleEdits.all(of: account).map(\.command)
            let chosen = Set(chance.shuffled(all).prefix(8))
            commands = all.filter(chosen.contains)
        }

        private var choice: EditChoice { EditChoice(commands, of: account) }

        /// Every set of at most two edits with the account that they make.
        var sets: [(edits: [Int], account: Account)] {
            var sets: [(edits: [Int], account: Account)] = [([], account)]
            for first in commands.indices {
                guard let once = commands[first].edited(account) else { continue }
                sets.append(([first], once))
                for second in commands.indices where second > first {
                    if let twice = commands[second].edited(once) { sets.append(([first, second], twice)) }
                }
            }
            return sets
        }

        /// For each record, true if it passes; `nil` where that depends on which devices were new, and no record says it.
        func verdicts(_ account: Account) -> [Bool?] {
            let (passed, others) = (passed(account), account.withoutNewDevices.map(passed))
            guard let others, !records.areNewDevicesKnown else { return passed }
            return zip(passed, others).map { $0 == $1 ? $0 : nil }
        }

        private func passed(_ account: Account) -> [Bool] {
            var symbols = SymbolTable(catalogue: account.catalogue)
            var engine = Engine(account: account, symbols: &symbols)
            return records.map { record in
                var attestation = Attestation(time: record.time, device: symbols.devices.intern(record.device))
                for name in record.flags {
                    if let flag = try? symbols.catalogue.intern(observed: name) { attestation.flags.insert(flag) }
                }
                for attribute in record.attributes + [.init(key: "device-id", value: record.device.description)] {
                    let key = symbols.attributes.key(named: attribute.key, keepingAll: true)
                    attestation.set(symbols.attributes.intern(attribute.value, for: key), for: key)
                }
                return engine.attest(attestation, symbols: symbols).passed
            }
        }

        /// A random expression that selects records with this verdict only, and at least one.
        mutating func expression(selecting passed: Bool, among verdicts: [Bool?]) throws -> RecordExpression? {
            for _ in 0..<200 {
                let expression = try anyExpression()
                let selected = records.indices.filter { expression.selects(records[$0]) }
                if !selected.isEmpty, selected.allSatisfy({ verdicts[$0] == passed }) { return expression }
            }
            return nil
        }

        mutating func anyExpression() throws -> RecordExpression {
            let record = chance.pick(records)
            var parts = record.flags.map { "flag:\($0)" } + ["did:\(record.device)"]
            parts += record.attributes.filter { !$0.value.isEmpty && $0.key != "device" }.map {
                "\($0.key)=\($0.value)"
            }
            let joint = chance.pick([" and ", " or ", " and not "])
            let text = chance.happens(50) ? chance.pick(parts) : chance.pick(parts) + joint + chance.pick(parts)
            return try RecordExpression(text) { _ in [] }
        }

        /// The sets of the fewest edits that do what is asked for, by the devices that they newly reject besides, or may.
        func answers(_ reject: RecordExpression?, _ keep: RecordExpression?) -> [[Int]: Int] {
            let before = verdicts(account)
            var found: [[Int]: Int] = [:]
            for (edits, account) in sets {
                let after = verdicts(account)
                var rejected = Set(
                    records.indices.filter { before[$0] == nil || after[$0] == nil }.map { records[$0].device })
                let isRight = records.indices.allSatisfy { index in
                    let record = records[index]
                    if reject?.selects(record) ?? false { return after[index] == false }
                    if keep?.selects(record) ?? false { return after[index] == true }
                    if before[index] == true, after[index] == false { rejected.insert(record.device) }
                    return true
                }
                if isRight { found[edits] = rejected.count }
            }
            let fewest = found.keys.map(\.count).min()
            return found.filter { $0.key.count == fewest }
        }

        func search(_ reject: RecordExpression?, _ keep: RecordExpression?) throws -> [EditSearch.Answer] {
            let question = SearchQuestion(reject: reject, keep: keep, mode: .fewestEdits())
            let (patterns, deadline) = (PatternMatcher(), ContinuousClock.now + .seconds(300))
            let selection = try RecordSelection(question, records, by: patterns, deadline: deadline)
            return try EditSearch(
                question: question, records: records, selection: selection, choice: choice, patterns: patterns,
                deadline: deadline
            ).run().answers
        }
    }

    private static let seeds: [UInt64] = Array(1...Exhaustive.count(UInt64(6), whole: 50))

    @Test(arguments: seeds) func findsThePlantedEdits(seed: UInt64) throws {
        var (problem, planted): (Problem?, (edits: [Int], account: Account)?) = (nil, nil)
        var (reject, keep): (RecordExpression?, RecordExpression?) = (nil, nil)
        // Not every random account has edits that do anything.
        for attempt in UInt64(0)..<50 where reject == nil && keep == nil {
            var random = try Problem(seed: seed + attempt * 1000)
            let plan = random.chance.pick(random.sets)
            let verdicts = random.verdicts(plan.account)
            guard verdicts != random.verdicts(random.account) else { continue }
            reject = try random.expression(selecting: false, among: verdicts)
            keep = try random.expression(selecting: true, among: verdicts)
            (problem, planted) = (random, plan)
        }
        let (random, plan) = (try #require(problem), try #require(planted))
        let expected = random.answers(reject, keep)
        #expect(expected.keys.allSatisfy { $0.count <= plan.edits.count })
        let answers = try random.search(reject, keep)
        let best = try #require(answers.first)
        expect(best.result.rejected + best.result.unevaluated, equals: expected.values.min())
        for answer in answers {
            let result = answer.result
            expect(expected[answer.edits], equals: result.rejected + result.unevaluated, "\(answer.edits)")
        }
    }

    @Test(arguments: seeds) func saysWhereThereIsNone(seed: UInt64) throws {
        for attempt in UInt64(0)..<200 {
            var random = try Problem(seed: seed + attempt * 1000)
            let (reject, keep) = (try random.anyExpression(), try random.anyExpression())
            let isBoth = random.records.contains { reject.selects($0) && keep.selects($0) }
            guard !isBoth, random.answers(reject, keep).isEmpty else { continue }
            #expect(try random.search(reject, keep).isEmpty)
            return
        }
        Issue.record("every problem has an answer")
    }
}

/// The filters that `search --narrowest-filter` tries.
@Suite struct NarrowestFilterTests {
    private static func record(_ address: String?, passed: Bool = true) -> KeptRecord {
        KeptRecord(
            device: DeviceID(first: 1, second: 2), system: .unknown,
            attributes: address.map { [KeptRecord.Attribute(key: "ip", value: $0)] } ?? [], passed: passed)
    }

    private static func texts(_ values: [String?]) -> [String] {
        NarrowestFilter.tests(rejecting: values.map { record($0) }, key: "ip").tests.map { test in
            switch test {
            case .exact(_, let value): "= \(value)"
            case .regex(_, let pattern): pattern.source
            case .conjunction: "conjunction"
            }
        }
    }

    /// Values, and the filters that match all of them.
    static let rows: [(values: [String?], filters: [String])] = [
        ([], []), (["a", nil], []), (["a"], ["= a"]), (["a", "a"], ["= a"]),
        (["", "b"], [#"\A(?:|b)\z"#]), (["b", "a"], [#"\A(?:a|b)\z"#]),
        (["ab", "ac"], [#"\A(?:ab|ac)\z"#, #"\Aa"#]), (["ba", "ca"], [#"\A(?:ba|ca)\z"#, #"a\z"#]),
        (["a.b", "a.c.b"], [#"\A(?:a\.b|a\.c\.b)\z"#, #"\Aa\."#, #"\.b\z"#]),
        (["(x", "(y"], [#"\A(?:\(x|\(y)\z"#, #"\A\("#]), (["é", "è"], [#"\A(?:è|é)\z"#]),
        // Characters that cannot be shown, also in a single value.
        (["-", "-"], ["= -"]), (["a\nb"], [#"\A(?:a\x{A}b)\z"#]), (["\u{0}1"], [#"\A(?:\x{0}1)\z"#]),
        (["a\u{202E}", "b\u{202E}"], [#"\A(?:a\x{202E}|b\x{202E})\z"#, #"\x{202E}\z"#]),
    ]

    @Test(arguments: rows) func matchesWhatHasToBeRejected(row: (values: [String?], filters: [String])) throws {
        expect(Self.texts(row.values), equals: row.filters)
    }

    // PCRE2 compiles no pattern of more than 65,536 bytes.
    @Test func saysWhatIsRefused() {
        let records = (10_000..<20_000).map { Self.record("1\($0)") }
        let found = NarrowestFilter.tests(rejecting: records, key: "ip")
        expect(found.refused.map(\.reason), equals: ["regular expression is too large"])
        expect(found.tests.count, equals: 1)
    }

    // The first of them matches these values and no others; the others match these at least.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func noFilterIsNarrower(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let letters = ["a", "b", ".", "|", "(", "é", "\n", "\u{0}", "\u{202E}", "A", "0", "}", ""]
        let all = (0..<8).map { _ in (0..<3).map { _ in chance.pick(letters) }.joined() }
        let chosen = Set(all.prefix(3))
        let tests = NarrowestFilter.tests(rejecting: chosen.map { Self.record($0) }, key: "ip").tests
        for (number, test) in tests.enumerated() {
            for value in all {
                let matches =
                    switch test {
                    case .exact(_, let expected): ExactText(value) == ExactText(expected)
                    case .regex(_, let pattern): pattern.isFound(in: value)
                    case .conjunction: false
                    }
                if chosen.contains(value) { #expect(matches, "\(test) \(value)") }
                if number == 0 { expect(matches, equals: chosen.contains(value), "\(test) \(value)") }
            }
        }
    }
}
