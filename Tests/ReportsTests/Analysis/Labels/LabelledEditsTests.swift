import Accounts
import PolicyEngine
import Testing

@testable import Analysis
@testable import Figures
@testable import Replay
@testable import TestSupport

/// The verdicts of every edit on labelled devices, and the fewest edits that catch enough of them.
@Suite struct LabelledEditsTests {
    private struct Problem {
        let account: Account
        let records: [CapturedRecord]
        let labels: Labels
        let folder: TemporaryFolder

        init(seed: UInt64, count: Int = 40) throws {
            var accounts = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
            account = try AccountText.account(accounts.text())
            var capture = RandomCapture(seed: seed << 16, flags: ["extra-one"])
            records = capture.records(count)
            var chance = Chance(seed: seed << 8)
            let rows = chance.shuffled(RandomCapture.devices).prefix(6).enumerated().map { number, device in
                Labels.Row(
                    attribute: "device-id", value: device, label: chance.happens(50) ? .bad : .good, from: nil,
                    until: nil, line: number + 1)
            }
            labels = Labels(rows, path: "labels")
            folder = try TemporaryFolder()
        }

        var capture: String { records.map(\.line).joined() }
        var isDoubtful: Bool { !records.contains { $0.flags.contains("new-did") } }

        func request(jobs: Int) throws -> ReplayRequest {
            var request = ReplayRequest(
                captures: [try folder.write(capture.utf8, to: "capture")], account: account)
            (request.labels, request.jobs) = (labels, jobs)
            if jobs > 1 { request.blockBytes = 512 }
            return request
        }

        func passed(_ account: Account) throws -> [Bool] {
            try DecisionLine.read(try #require(try ReplayBench.replay(capture, account: account).decisions)).map(
                \.passed)
        }

        /// For each record, true if an account passes it; then the same without what depends on new devices.
        func verdicts(_ account: Account) throws -> ([Bool], [Bool]) {
            let plain = try passed(account)
            return (plain, try account.withoutNewDevices.map(passed) ?? plain)
        }

        func label(of device: String) -> DeviceLabel { labels.rows.first { $0.value == device }?.label ?? .unknown }

        /// The devices with a label, those that an account rejects, those that it newly rejects, those that it rejects no
        /// longer, and those that are not evaluated.
        func counts(_ label: DeviceLabel, before: ([Bool], [Bool]), after: ([Bool], [Bool])) -> [Int] {
            var counts = [0, 0, 0, 0, 0]
            for device in Set(records.map(\.device)) where self.label(of: device) == label {
                let own = records.indices.filter { records[$0].device == device }
                let isKnown = own.allSatisfy { before.0[$0] == before.1[$0] && after.0[$0] == after.1[$0] }
                guard isKnown || !isDoubtful else {
                    counts[4] += 1
                    continue
                }
                let (old, new) = (own.contains { !before.0[$0] }, own.contains { !after.0[$0] })
                counts[0] += 1
                if new { counts[1] += 1 }
                if new, !old { counts[2] += 1 }
                if old, !new { counts[3] += 1 }
            }
            return counts
        }
    }

    private static func counts(_ counts: LabelCounts) -> [Int] {
        [counts.devices, counts.rejected, counts.newlyRejected, counts.noLongerRejected, counts.unevaluated]
    }

    @Test(arguments: Exhaustive.seeds(1...60, each: 15)) func everyEditAgrees(seed: UInt64) throws {
        let problem = try Problem(seed: seed)
        let edits = SingleEdits.all(of: problem.account)
        let before = try problem.verdicts(problem.account)
        let found = try [1, 3].map { jobs in
            try #require(CaptureWhatIf(try problem.request(jobs: jobs), edits: edits.map(\.account)).run().labels)
        }
        #expect(found[0] == found[1] && found[0].lanes.count == edits.count + 1)
        for (number, edit) in edits.enumerated() {
            let after = try problem.verdicts(edit.account)
            for label in DeviceLabel.allCases {
                expect(
                    Self.counts(found[0].lanes[number + 1][label]),
                    equals: problem.counts(label, before: before, after: after),
                    "seed \(seed), \(edit.command), \(label)")
            }
        }
    }

    /// The fewest edits are those that trying every set of edits finds, by replays.
    @Test(arguments: Exhaustive.seeds(1...50, each: 10)) func searchFindsTheFewest(seed: UInt64) throws {
        let problem = try Problem(seed: seed, count: 30)
        var chance = Chance(seed: seed)
        let request = try problem.request(jobs: 1)
        let records = KeptRecords.evaluated(request, keys: CaptureRecords.keys(for: problem.account)).records
        let all = SingleEdits.all(of: problem.account).map(\.command)
        let chosen = Set(chance.shuffled(all).prefix(6))
        let choice = EditChoice(all.filter(chosen.contains), of: problem.account)
        var sets: [(edits: [Int], account: Account)] = [([], problem.account)]
        for first in choice.commands.indices {
            guard let once = choice.commands[first].edited(problem.account) else { continue }
            sets.append(([first], once))
            for second in choice.commands.indices.dropFirst(first + 1) {
                if let twice = choice.commands[second].edited(once) { sets.append(([first, second], twice)) }
            }
        }
        let outcomes = try sets.map { Self.outcome(try problem.verdicts($0.account), problem) }
        // The goal is planted: one of the sets reaches it.
        let planted = outcomes[chance.below(outcomes.count)]
        func isMet(_ outcome: LabelOutcome) -> Bool {
            outcome.caught >= planted.caught && outcome.blocked <= planted.blocked
        }
        let right = zip(sets, outcomes).filter { isMet($1) }
        let fewest = try #require(right.map(\.0.edits.count).min())
        let best = right.filter { $0.0.edits.count == fewest }
        let limit = SearchLimit { $0.labels.caught >= planted.caught && $0.labels.blocked <= planted.blocked }
        let found = try Self.search(problem, records, choice, limit)
        expect(found.first.map(\.edits.count), equals: fewest)
        expect(found.first?.result.labels.blocked, equals: best.map(\.1.blocked).min())
        for answer in found {
            #expect(best.contains { $0.0.edits == answer.edits && $0.1 == answer.result.labels }, "\(answer.edits)")
        }
    }

    private static func outcome(_ passed: ([Bool], [Bool]), _ problem: Problem) -> LabelOutcome {
        var outcome = LabelOutcome()
        for device in Set(problem.records.map(\.device)) {
            let own = problem.records.indices.filter { problem.records[$0].device == device }
            let isKnown = !problem.isDoubtful || own.allSatisfy { passed.0[$0] == passed.1[$0] }
            let isRejected = own.contains { !passed.0[$0] }
            outcome.count(1, problem.label(of: device), isRejected: isKnown ? isRejected : nil)
        }
        return outcome
    }

    private static func search(
        _ problem: Problem, _ records: [KeptRecord], _ choice: EditChoice, _ limit: SearchLimit
    ) throws -> [EditSearch.Answer] {
        let question = SearchQuestion(
            reject: nil, keep: nil, mode: .fewestEdits(), limit: limit, labels: problem.labels, needed: [.bad, .good])
        let (patterns, deadline) = (PatternMatcher(), ContinuousClock.now + .seconds(300))
        let selection = try RecordSelection(question, records, by: patterns, deadline: deadline)
        return try EditSearch(
            question: question, records: records, selection: selection,
            labelled: LabelledDevices(problem.labels, records),
            choice: choice, patterns: patterns, deadline: deadline
        ).run().answers
    }

    // Bad caught, good blocked, unknown rejected, and the latter two as they may be.
    @Test("an edit that rejects more unknown devices is not efficient beside one that rejects none")
    func unknownDevicesCountInTheFrontier() {
        let rows: [(bad: Int, good: Int, unknown: Int, unevaluated: Int)] = [
            (0, 0, 0, 0), (10, 1, 0, 0), (10, 1, 500, 0), (10, 1, 0, 3), (11, 1, 500, 0), (9, 2, 0, 0), (10, 1, 0, 0),
        ]
        let lanes = rows.enumerated().map { number, row in
            var lane = LabelLane()
            lane.number = number
            (lane.bad.rejected, lane.good.rejected) = (row.bad, row.good)
            (lane.unknown.rejected, lane.unknown.unevaluated) = (row.unknown, row.unevaluated)
            return lane
        }
        expect(LabelFigures.frontier(of: lanes), equals: [0, 1, 4, 6])
    }

    @Test func expressionsTakeLabels() throws {
        let problem = try Problem(seed: 3)
        let request = try problem.request(jobs: 1)
        let records = CaptureRecords(request, keys: []).read().records
        let labelled = LabelledDevices(problem.labels, records)
        for label in DeviceLabel.allCases {
            let expression = try RecordExpression("label:\(label.rawValue)") { _ in [] }
            #expect(expression.needsLabels)
            let resolved = expression.resolved(labelled)
            #expect(!resolved.needsLabels)
            let selected = records.filter { resolved.selects($0) }.map(\.device.description)
            let expected = problem.records.map(\.device).filter { problem.label(of: $0) == label }
            expect(selected, equals: expected)
        }
    }
}
