import Testing

@testable import Figures
@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// Lanes decide about batches as the rules say, and what is counted of batches is what is counted of decisions.
@Suite struct LaneTests {
    static let seeds = Array(UInt64(1)...Exhaustive.count(150, whole: 2000))

    @Test("R1–R11 lanes decide as the reference does, mostly by tables, and count as single decisions are counted")
    func agrees() throws {
        var (engineCount, decisions) = (0, [NamedDecision]())
        for seed in Self.seeds {
            // Every second one with so few numbers for sets that they are given anew again and again.
            var run = try LaneRun(seed: seed, setLimit: seed.isMultiple(of: 2) ? 5 : Batch.setLimit)
            for _ in 0..<8 {
                if let difference = try run.step() {
                    Issue.record("seed \(seed): \(difference)")
                    return
                }
            }
            let (batched, single) = run.figures()
            expect(batched.line, equals: single.line, "seed \(seed)")
            engineCount += run.engineCount
            decisions += run.decisions
        }
        expect(Set(decisions.map(\.lifetime)), equals: [45, 120, 300])
        #expect(Set(decisions.flatMap(\.rejections)).isSuperset(of: ["rooted", "did-ban", "policy:blacklist"]))
        #expect(
            10...70 ~= engineCount * 100 / decisions.count, "\(engineCount) of \(decisions.count) by the engine")
    }

    @Test("R10 a verdict is the one of the engine for every pair of rows, under both policies")
    func pairsOfRows() throws {
        let names = ["", "rooted", "xposed", "rooted xposed", "automated", "new-did", "rooted automated", "did-unban"]
        let catalogue = FlagCatalogue()
        let flags = names.map { names in
            FlagSet(names.split(separator: " ").compactMap { catalogue.flag(named: String($0)) })
        }
        for preset in RejectionPreset.allCases {
            for (edit, risk) in [("", false), ("reject-flags: {add: [risky-device]}", true)] {
                let account = try AccountText.account(
                    """
                    policy: default,\(preset.rawValue),all
                    \(edit)
                    filters:
                      - {name: risk, key: ip, match: a, risky: true}
                      - {name: reject, key: ip, match: b, reject: true}
                      - {name: new, key: ip, match: c, reject: true, new-did-only: true}
                      - {name: quiet, key: ip, match: d}
                    """)
                try Self.comparePairs(account, flags, context: "\(preset.rawValue) \(risk)")
            }
        }
    }

    private static func comparePairs(_ account: Account, _ flags: [FlagSet], context: String) throws {
        var symbols = SymbolTable(catalogue: account.catalogue)
        var (lane, batch) = (Lane(account, symbols: &symbols), Batch(accounts: 1))
        var engine = Engine(account: account, symbols: &symbols)
        let matches = [AttributeMatches.none] + account.filters.indices.map { .filter($0) }
        let pairs = flags.flatMap { flags in matches.map { (flags, $0) } }
        // Each pair twice, by a device of its own: as a first attestation, and as a later one.
        let records = pairs.enumerated().flatMap { number, pair in
            [(number, pair.0, pair.1), (number, pair.0, pair.1)]
        }
        for number in pairs.indices { _ = symbols.devices.intern(DeviceID(first: UInt64(number), second: 7)) }
        let origin = RecordOrigin(app: .none, system: .unknown, capturedVerdict: nil)
        batch.fill(
            records.count,
            time: { _ in Sample.time }, flags: { records[$0].1 }, origin: { _ in origin }, index: { $0 },
            device: { DeviceIndex(offset: records[$0].0) }, matches: { AccountMatches(records[$0].2) })
        lane.decide(batch, symbols: symbols)
        for (row, record) in records.enumerated() {
            let attestation = Attestation(
                time: Sample.time, device: DeviceIndex(offset: record.0), flags: record.1)
            let expected = engine.attest(attestation, matches: record.2, symbols: symbols)
            let verdict = lane.verdicts[row]
            #expect(!verdict.contains(.isByEngine), "\(context): \(record)")
            expect(lane.passes(row), equals: expected.passed, "\(context): \(record)")
            let tables = lane.own
            expect(
                tables.effectiveFlags(Int(lane.flagRows[row]), verdict), equals: expected.flags,
                "\(context): \(record)")
            expect(
                tables.rejectingFlags(Int(lane.flagRows[row]), verdict), equals: expected.rejectingFlags,
                "\(context): \(record)")
            expect(tables.filters[Int(lane.matchRows[row])], equals: expected.filters, "\(context): \(record)")
            expect(lane.decision(row, batch, symbols: symbols), equals: expected, "\(context): \(record)")
        }
    }

    @Test("numbers are given anew behind 65,536 sets, and nothing is lost")
    func numbersAreGivenAnew() throws {
        let account = try AccountText.account("policy: default,whitelist,all")
        var symbols = SymbolTable(catalogue: account.catalogue)
        var (lane, batch) = (Lane(account, symbols: &symbols), Batch(accounts: 1))
        var collector = MetricsCollector(billingDay: account.billingDay)
        let device = symbols.devices.intern(DeviceID(first: 1, second: 2))
        let origin = RecordOrigin(app: .none, system: .unknown, capturedVerdict: nil)
        // Each record has a set of its own.
        let free = account.catalogue.flags.indices.suffix(17)
        var count = 0
        for first in stride(from: 0, to: 70_000, by: Batch.limit) {
            batch.fill(
                Batch.limit,
                time: { _ in Sample.time },
                flags: { row in
                    let bits = free.enumerated().reduce(UInt128(0)) { bits, flag in
                        (first + row) >> flag.offset & 1 == 1 ? bits | 1 << UInt128(flag.element) : bits
                    }
                    return FlagSet(bits: bits)
                }, origin: { _ in origin }, index: { $0 }, device: { _ in device }, matches: { _ in AccountMatches() })
            if lane.isOutdated(by: batch) { collector.settle(by: lane) }
            lane.decide(batch, symbols: symbols)
            collector.count(batch, by: &lane, symbols: symbols)
            count += Batch.limit
        }
        expect(batch.generation, equals: 1)
        collector.settle(by: lane)
        let figures = collector.figures(engine: lane.engine, symbols: symbols, apps: AppRegistry().names)
        expect(figures.attestations, equals: count)
        expect(figures.metrics[.pass], equals: count)
        // The lowest of these flags is in every other set.
        let lowest = try #require(free.first)
        let name = ExactText(account.catalogue.flags[lowest].name)
        expect(figures.metrics[.flag(name, passed: true)], equals: count / 2)
    }
}
