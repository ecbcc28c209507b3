import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Decisions that are kept and counted together give the figures of decisions that are made one by one.
@Suite struct DecisionMemoTests {
    @Test("whatever leaves, each decision is counted as often as it was made", arguments: [0, 1, 3, 14])
    func countsAreComplete(placeBits: Int) {
        var symbols = SymbolTable(catalogue: FlagCatalogue())
        var engine = Engine(account: Account(), symbols: &symbols)
        var chance = SplitMix64(seed: UInt64(placeBits))
        var memo = DecisionMemo(placeBits: placeBits)
        var (made, counted) = ([FlagSet: Int](), [FlagSet: Int]())
        var attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0))
        let matches = AttributeMatches.none
        // From then on the device is known.
        _ = engine.attest(attestation, matches: matches, symbols: symbols)
        for _ in 0..<2000 {
            attestation.flags = FlagSet(bits: UInt128(chance.below(40)) << 3)
            let key = DecisionMemo.Key(flags: attestation.flags, matches: matches, isFirst: false)
            let decision = engine.attest(attestation, matches: matches, symbols: symbols)
            if let verdict = memo.verdict(for: key) {
                #expect(verdict.passed == decision.passed && verdict.rejectingFlags == decision.rejectingFlags)
            } else if let former = memo.keep(decision, for: key) {
                counted[former.decision.flags, default: 0] += former.times
            }
            made[decision.flags, default: 0] += 1
        }
        for kept in memo.all { counted[kept.decision.flags, default: 0] += kept.times }
        #expect(counted == made)
        #expect(made.count > 20)
    }

    @Test("the state of a device, flags and matches make different decisions")
    func keysDiffer() {
        let flags: FlagSet = [.newDevice]
        let keys = [
            DecisionMemo.Key(flags: .empty, matches: .none, isFirst: false),
            DecisionMemo.Key(flags: .empty, matches: .none, isFirst: true),
            DecisionMemo.Key(flags: flags, matches: .none, isFirst: false),
            DecisionMemo.Key(flags: .empty, matches: AttributeMatches.none.removed(true), isFirst: false),
        ]
        for (index, key) in keys.enumerated() { #expect(keys.firstIndex(of: key) == index) }
    }

    // Where decisions are written, each is made by itself.
    private static func outcomes(_ capture: [UInt8], _ account: Account, jobs: Int) throws -> [String?] {
        try [true, false].map { writes in
            try ReplayBench.replay([capture], account: account) { request in
                (request.jobs, request.blockBytes) = (jobs, 700)
                if !writes { request.decisionsPath = nil }
            }.summary.lines
        }
    }

    @Test("random accounts, in which bans, entries of devices, sampling and registrations count", arguments: 1...150)
    func figuresAgree(seed: UInt64) throws {
        var random = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        let account = try AccountText.account(random.text())
        var capture = RandomCapture(seed: seed, flags: ["extra-one", "zz-unknown"])
        // Each record comes several times, as those of a capture do.
        let lines = capture.records(60).flatMap { Array(repeating: $0.line, count: 1 + Int(seed % 4)) }.joined()
        for jobs in [1, 2] {
            let outcomes = try Self.outcomes(Array(lines.utf8), account, jobs: jobs)
            #expect(outcomes[0] != nil && outcomes[0] == outcomes[1], "\(jobs) workers")
        }
    }

    struct Row: LabelledRow {
        let name, account: String
        /// The attestations that pass, of Bob's five.
        let pass: Int
    }

    static let rows = [
        Row(name: "nothing is remembered", account: "account: a", pass: 5),
        Row(
            name: "a ban by a filter lasts",
            account: "filters: [{name: f, key: ip, match: 1.2.3.4, ban: true}]", pass: 2),
        Row(
            name: "a filter that rejects does not last",
            account: "filters: [{name: f, key: ip, match: 1.2.3.4, reject: true}]", pass: 4),
        Row(
            name: "a ban by the account's entry",
            account: "devices: [{id: \(SampleDevice.bob), ban-mode: ban}]", pass: 0),
        Row(
            name: "an entry with a policy of its own",
            account: "devices: [{id: \(SampleDevice.bob), policy: 'default,blacklist,default'}]", pass: 0),
    ]

    @Test(arguments: rows) func statesCount(_ row: Row) throws {
        let records = ["", "", "1.2.3.4", "", ""].enumerated().map { number, ip in
            #"{"time":"2020-07-23T10:00:0\#(number)Z","device-id":"\#(SampleDevice.bob)","flags":"","ip":"\#(ip)"}"#
                + "\n"
        }
        let replayed = try ReplayBench.replay(records.joined(), account: try AccountText.account(row.account)) {
            $0.decisionsPath = nil
        }
        #expect(replayed.metric("pass") == row.pass)
    }
}
