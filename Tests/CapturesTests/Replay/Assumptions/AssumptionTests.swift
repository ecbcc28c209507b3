import Documents
import Foundation
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Assumptions about signals, compared with captures in which the signals are others.
@Suite struct AssumptionTests {
    // The flags that both accounts declare.
    private static let flags = [
        RandomAccount.Declared(name: "extra-one", isRisk: true),
        RandomAccount.Declared(name: "extra-two", isRisk: false),
    ]
    // The share is put in, and a test knows the group.
    private static let assumptions:
        [(before: String, expression: String, selects: @Sendable (CapturedRecord) -> Bool)] = [
            ("add rooted to ", "ip=1.2.3.4", { $0.attributes["ip"] == "1.2.3.4" }),
            ("add extra-one to ", "not flag:rooted", { !$0.flags.contains("rooted") }),
            ("remove rooted from ", "device~Android", { $0.attributes["device"]?.contains("Android") ?? false }),
            ("set ip to 1.2.3.4 of ", "device~iOS", { $0.attributes["device"]?.contains("iOS") ?? false }),
            (
                "set user-property to gold of ", "flag:rooted or flag:xposed",
                { !Set($0.flags).isDisjoint(with: ["rooted", "xposed"]) }
            ),
            ("remove xposed from ", "did:\(RandomCapture.devices[0])", { $0.device == RandomCapture.devices[0] }),
        ]

    // Accounts, records and an assumption of a seed.
    private struct Sample {
        let before, after: Account
        let records: [CapturedRecord]
        let assumption: SignalAssumption
        /// The devices that the assumption is about.
        let group: [String]

        init(seed: UInt64) throws {
            var (before, after) = (
                RandomAccount(seed: seed, flags: AssumptionTests.flags),
                RandomAccount(seed: ~seed, flags: AssumptionTests.flags)
            )
            let text = before.text()
            self.before = try AccountText.account(text)
            // Without a change the assumption has all of the effect.
            self.after = seed % 3 == 0 ? self.before : try AccountText.account(after.text())
            var capture = RandomCapture(seed: seed << 16, flags: ["extra-one", "extra-two"])
            var records = capture.records(30)
            // It is known which devices were new, so that no effect is open.
            records[0] = records[0].with(flags: records[0].flags.filter { $0 != "new-did" } + ["new-did"])
            self.records = records
            let (words, expression, selects) = AssumptionTests.assumptions[Int(seed % 6)]
            let share = ["50%", "25%", "12.5%", "100%"][Int(seed / 6 % 4)]
            assumption = try SignalAssumption("\(words)\(share) of \(expression)") { _ in [] }
            group = Set(records.filter(selects).map(\.device)).sorted()
        }

        /// The decisions of the account after if some devices are drawn.
        func decisions(drawing devices: Set<String>) throws -> [DecisionLine] {
            let records = records.map { devices.contains($0.device) ? $0.changed(by: assumption.change) : $0 }
            let replayed = try ReplayBench.replay(records.map(\.line).joined(), account: after.replacing(before))
            return try DecisionLine.read(try #require(replayed.decisions))
        }

        func compared(_ edit: (inout ReplayRequest) -> Void = { _ in }) throws -> ComparisonSummary {
            let folder = try TemporaryFolder()
            let capture = try folder.write(records.map(\.line).joined().utf8, to: "1")
            var request = ReplayRequest(captures: [capture], account: before)
            edit(&request)
            let (concerned, diagnostics) = ConcernedDevices.reading(
                [assumption], request, labels: nil, option: "--assume")
            #expect(!diagnostics.hasErrors)
            return AssumptionComparison(ComparisonRequest(replay: request, after: after), try #require(concerned))
                .run()
        }
    }

    @Test("The drawn devices have the effects of a capture with these signals, and the others of the capture as it is")
    func drawnDevices() throws {
        for seed in Exhaustive.seeds(1...200, each: 12) {
            let sample = try Sample(seed: seed)
            guard sample.records.contains(where: { $0.flags.contains("rooted") || $0.flags.contains("xposed") }) else {
                continue
            }
            let drawn = sample.group.filter { DeviceID($0).map(sample.assumption.draws) ?? false }
            let before = try ReplayBench.replay(sample.records.map(\.line).joined(), account: sample.before)
            let old = try DecisionLine.read(try #require(before.decisions))
            let new = try sample.decisions(drawing: Set(drawn))
            let comparison = try #require(try sample.compared().comparison, "seed \(seed)")
            let expected = ReferenceDifference(sample.records, before: old, after: new).lines
            expect(comparison.changes.lines, equals: expected, "seed \(seed): \(sample.assumption.text)")
            let part = try #require(comparison.assumed?.parts.first)
            expect(part.devices, equals: sample.group.count)
            expect(part.drawn, equals: drawn.count)
        }
    }

    @Test("Single edits are evaluated on the records with these signals") func singleEdits() throws {
        for seed in Exhaustive.seeds(1...200, each: 12) {
            let sample = try Sample(seed: seed)
            let edits =
                RejectionPreset.allCases.map { preset in
                    var account = sample.before
                    account.policy = account.policy.rejecting(by: preset)
                    return account
                }
                + (try sample.before.filters.map { filter in
                    var account = sample.before
                    try account.removeFilter(named: filter.name)
                    return account
                })
            func effects(_ records: [CapturedRecord], _ signals: AssumedSignals?) throws -> WhatIfSummary {
                let folder = try TemporaryFolder()
                let capture = try folder.write(records.map(\.line).joined().utf8, to: "1")
                var request = ReplayRequest(captures: [capture], account: sample.before)
                request.assumed = signals
                let summary = CaptureWhatIf(request, edits: edits).run()
                #expect(!summary.diagnostics.hasErrors && summary.attestations == records.count)
                return summary
            }
            let drawn = Set(sample.group.filter { DeviceID($0).map(sample.assumption.draws) ?? false })
            let records = sample.records.map {
                drawn.contains($0.device) ? $0.changed(by: sample.assumption.change) : $0
            }
            let signals = AssumedSignals(
                account: 0, [(sample.assumption.change, Set(drawn.compactMap { DeviceID($0) }))])
            let (found, expected) = (try effects(sample.records, signals), try effects(records, nil))
            expect(found.edits, equals: expected.edits, "seed \(seed): \(sample.assumption.text)")
            expect(found.figures?.metrics, equals: expected.figures?.metrics, "seed \(seed)")
        }
    }

    @Test("A capture that changes between two readings is refused, rather than reported in part") func changedCapture()
        throws
    {
        let records = (0..<20_000).map { number in
            let id = DeviceID(first: UInt64(number), second: 0)
            return #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(id)","flags":"rooted"}"# + "\n"
        }.joined()
        let folder = try TemporaryFolder()
        let path = try folder.write(records.utf8, to: "day.jsonl")
        let (before, after) = (
            try AccountText.account("account: a\n"),
            try AccountText.account("account: a\npolicy: default,allow-root,default\n")
        )
        let request = ReplayRequest(captures: [path], account: before)
        let assumption = try SignalAssumption("add xposed to flag:rooted") { _ in [] }
        let (concerned, _) = ConcernedDevices.reading([assumption], request, labels: nil, option: "--assume")
        // A file that is being read stays as it is; the next reading finds another file.
        let progress = Progress { _ in try? Data("{}\n".utf8).write(to: URL(filePath: path), options: .atomic) }
        let asked = ComparisonRequest(replay: request, after: after)
        let summary = AssumptionComparison(asked, try #require(concerned), progress: progress).run()
        #expect(summary.comparison == nil && summary.diagnostics.hasErrors)
        #expect(AssumptionComparison(asked, try #require(concerned)).run().comparison == nil)
        try folder.write(records.utf8, to: "day.jsonl")
        let sound = AssumptionComparison(asked, try #require(concerned)).run()
        expect(sound.comparison?.assumed?.effects.count, equals: 3)
    }

    @Test("Figures over all draws are those of all choices of devices") func allDraws() throws {
        for seed in Exhaustive.seeds(1...200, each: 12) {
            let sample = try Sample(seed: seed)
            guard sample.assumption.isSampled, !sample.group.isEmpty, sample.group.count <= 5 else { continue }
            let before = try ReplayBench.replay(sample.records.map(\.line).joined(), account: sample.before)
            let old = try DecisionLine.read(try #require(before.decisions))
            let (fraction, count) = (sample.assumption.share.fraction, sample.group.count)
            var outcomes: [(size: Int, probability: Double, rejected: Int, accepted: Int)] = []
            for choice in 0..<(1 << count) {
                let drawn = sample.group.enumerated().filter { choice >> $0.offset & 1 == 1 }.map(\.element)
                let new = try sample.decisions(drawing: Set(drawn))
                func turned(_ from: Bool) -> Int {
                    Set(
                        old.indices.filter { old[$0].passed == from && new[$0].passed != from }.map {
                            sample.records[$0].device
                        }
                    )
                    .count
                }
                let probability =
                    drawn.reduce(1.0) { product, _ in product * fraction }
                    * (0..<(count - drawn.count)).reduce(1.0) { product, _ in product * (1 - fraction) }
                outcomes.append((drawn.count, probability, turned(true), turned(false)))
            }
            let draws = try #require(try sample.compared().comparison?.assumed?.draws, "seed \(seed)")
            let taken = Int((fraction * Double(count)).rounded())
            expect(draws.taken, equals: taken)
            for (figure, value) in [
                (draws.rejected, { (one: (Int, Double, Int, Int)) in one.2 }), (draws.accepted, { $0.3 }),
            ] {
                let mean = outcomes.reduce(0) { $0 + $1.probability * Double(value($1)) }
                let variance = outcomes.reduce(0) {
                    $0 + $1.probability * (Double(value($1)) - mean) * (Double(value($1)) - mean)
                }
                #expect(abs(figure.expected - mean) < 1e-9, "seed \(seed): \(sample.assumption.text)")
                #expect(abs(figure.deviation * figure.deviation - variance) < 1e-9, "seed \(seed)")
                let ofSize = outcomes.filter { $0.size == taken }.map { value($0) }
                expect(figure.fewest, equals: try #require(ofSize.min()), "seed \(seed): \(sample.assumption.text)")
                expect(figure.most, equals: try #require(ofSize.max()), "seed \(seed)")
            }
        }
    }

    @Test("A greater share has the devices of a smaller one, and parts of the devices draw the same") func draws()
        throws
    {
        let devices = (0..<4000).map { DeviceID(first: UInt64($0) << 40, second: 7) }
        func drawn(_ share: String) throws -> Set<DeviceID> {
            let assumption = try SignalAssumption("add rooted to \(share) of flag:frida") { _ in [] }
            return Set(devices.filter { assumption.draws($0) })
        }
        let shares = try ["0%", "2.5%", "10%", "60%", "100%"].map { try drawn($0) }
        for (smaller, greater) in zip(shares, shares.dropFirst()) { #expect(smaller.isSubset(of: greater)) }
        expect([shares[0].count, shares[4].count], equals: [0, 4000])
        // 10 % of 4,000, and four standard deviations.
        #expect(abs(shares[2].count - 400) < 76)
        let other = try SignalAssumption("add xposed to 10% of flag:frida") { _ in [] }
        #expect(Set(devices.filter { other.draws($0) }) != shares[2])
        let (typed, shown) = ("10% of os-version=\"Android 13\"", "10% of \"os-version=Android 13\"")
        let quoted = try [typed, shown].map { text in try SignalAssumption("add rooted to \(text)") { _ in [] } }
        expect(devices.filter { quoted[0].draws($0) }, equals: devices.filter { quoted[1].draws($0) })
    }

    @Test("Parts of the devices, and workers, have the effects of all together") func shards() throws {
        for seed in Exhaustive.seeds(1...40, each: 20) {
            let sample = try Sample(seed: seed)
            let whole = try #require(try sample.compared { $0.jobs = 3 }.comparison?.assumed, "seed \(seed)")
            let parts = try (1...3).map { number in
                try sample.compared { $0.deviceShard = DeviceShard(number: number, of: 3) }.comparison?.assumed
            }
            func sum(_ value: (AssumptionFigures) -> Int) -> Int { parts.compactMap { $0 }.map(value).reduce(0, +) }
            expect(sum { $0.parts[0].drawn }, equals: whole.parts[0].drawn)
            for index in whole.effects.indices {
                expect(sum { $0.effects[index].rejected }, equals: whole.effects[index].rejected, "seed \(seed)")
                expect(sum { $0.effects[index].accepted }, equals: whole.effects[index].accepted, "seed \(seed)")
            }
        }
    }

    @Test("A change, an assumption, and both are compared with the account and the records as they are") func effects()
        throws
    {
        for seed in Exhaustive.seeds(1...60, each: 11) {
            let sample = try Sample(seed: seed)
            let effects = try #require(try sample.compared().comparison?.assumed, "seed \(seed)").effects
            guard sample.before != sample.after.replacing(sample.before) else {
                expect(effects.map(\.cause), equals: [.assumption])
                continue
            }
            expect(effects.map(\.cause), equals: [.change, .assumption, .both])
            let capture = sample.records.map(\.line).joined()
            let change = try ComparisonBench.compare(capture, accounts: (sample.before, sample.after))
            expect(effects[0].rejected, equals: change.comparison?.changes.rejected.devices)
            expect(effects[0].lockedOut, equals: change.comparison?.changes.lockedOut)
        }
    }
}

extension CapturedRecord {
    fileprivate func with(flags: [String], attributes: [String: String]? = nil) -> CapturedRecord {
        CapturedRecord(
            device: device, time: time, seconds: seconds, flags: flags, attributes: attributes ?? self.attributes,
            verdict: verdict)
    }

    /// The record with other signals.
    fileprivate func changed(by change: SignalChange) -> CapturedRecord {
        switch change {
        case .add(let flag): with(flags: flags.contains(flag) ? flags : flags + [flag])
        case .remove(let flag): with(flags: flags.filter { $0 != flag })
        case .set(let key, let value): with(flags: flags, attributes: attributes.merging([key: value]) { $1 })
        }
    }
}

/// The words of assumptions.
@Suite struct SignalAssumptionTests {
    /// An assumption, or why it is none.
    struct Row: LabelledRow {
        let name: String
        let read: String

        init(_ text: String, _ read: String) { (name, self.read) = (text, read) }
    }

    static let rows = [
        Row("add rooted to 2.5% of flag:frida", "add rooted, 2.5 %"), Row("add rooted to 10%", "add rooted, 10 %"),
        Row("remove frida from did:\(Sample.device)", "remove frida, 100 %"),
        Row("set app-cert to DE:AD of app-version=5.2", "set app-cert to DE:AD, 100 %"),
        Row(#"set user-property to "of gold" of 1% of os-version="Android 13""#, "set user-property to of gold, 1 %"),
        Row("add rooted to 0%", "add rooted, 0 %"),
        Row("", "an assumption begins with `add`, `remove` or `set`"),
        Row("give rooted to 1%", "an assumption begins with `add`, `remove` or `set`"),
        Row("add rooted from 1%", "`to` is missing in front of `from`"),
        Row("add rooted", "`to` is missing at the end"),
        Row("add", "a flag is missing"), Row("set ip", "`to` is missing at the end"),
        Row("set ip to", "a value is missing"), Row("add rooted to", "the devices are missing at the end"),
        Row("add rooted to 1% flag:frida", "`of` is missing in front of `flag:frida`"),
        Row("add rooted to 1% of", "the devices are missing at the end"),
        Row("add rooted to 101% of flag:frida", "`101%` is no share"),
        Row("add rooted to frida", "`frida` is not a condition"),
        Row("add new-did to 1%", "`new-did` is set by the service's decisions, and cannot be assumed"),
        Row("set device to iOS of 1%", "`device` cannot be set"),
        Row("set appid to com.a of 1%", "`appid` cannot be set"),
    ]

    @Test(arguments: rows) func reads(_ row: Row) {
        do throws(RecordExpressionError) {
            let assumption = try SignalAssumption(row.name) { _ in [] }
            let share = (assumption.share.fraction * 1000).rounded() / 10
            let text = share == share.rounded() ? "\(Int(share))" : "\(share)"
            expect("\(assumption.change), \(text) %", equals: row.read)
        } catch {
            expect(error.description, equals: row.read)
        }
    }

    @Test("What an assumption says of people is hidden") func redacted() throws {
        let redactor = Redactor(PseudonymKey(from: Array("a key of sixteen bytes".utf8)))
        let assumption = try SignalAssumption("set user-property to Jo of 5% of user-property=\"Jo Doe\"") { _ in [] }
        let shown = assumption.redacted(by: redactor)
        #expect(!shown.contains("Jo"), "\(shown)")
        #expect(shown.hasPrefix("set user-property to property-"), "\(shown)")
        #expect(shown.contains(" of 5% of "), "\(shown)")
    }
}
