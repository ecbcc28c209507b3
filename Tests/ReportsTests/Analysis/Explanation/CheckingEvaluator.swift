import PolicyEngine

@testable import Analysis
@testable import Figures
@testable import Replay
@testable import TestSupport

extension ReplayPlan {
    /// A replay that evaluates every record twice, with a recorder and without.
    static func checking(_ account: Account) -> ReplayPlan {
        var keys = ["appid", "app-version", "app-sig"]
        for key in account.filters.compactMap(\.key) where !keys.contains(key) { keys.append(key) }
        let listed = keys
        return ReplayPlan(catalogue: account.catalogue, needs: RecordNeeds(carriedKeys: listed)) { symbols in
            CheckingEvaluator(account, keys: listed, symbols: &symbols)
        }
    }
}

/// Evaluates every record twice, with a recorder and without, and notes where the recorded steps do not make the
/// decision.
struct CheckingEvaluator: BatchEvaluator {
    private(set) var engine: Engine
    private var silent: Engine
    private let account: Account
    private let keys: [String]
    private var attributes: AttributeTable
    private var seen: Set<DeviceIndex> = []
    private(set) var problems: [String] = []
    private(set) var count = 0
    // By record of the batch.
    private var decisions: [Decision] = []

    init(_ account: Account, keys: [String], symbols: inout SymbolTable) {
        (self.account, self.keys) = (account, keys)
        engine = Engine(account: account, symbols: &symbols)
        silent = Engine(account: account, symbols: &symbols)
        attributes = symbols.attributes
    }

    func passes(_ row: Int) -> Bool { decisions[row].passed }

    func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision { decisions[row] }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        decisions = []
        for row in 0..<batch.count { decisions.append(decide(row, batch, symbols: symbols)) }
    }

    // The attributes come as text, since the engine is to match them itself.
    private mutating func decide(
        _ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable
    ) -> Decision {
        let (head, flags) = (batch.head(row), batch.flagSets[Int(batch.flags[row])])
        var whole = Attestation(time: head.time, device: batch.devices[row], flags: flags)
        for (index, name) in keys.enumerated() {
            guard let value = batch.carried(row)?.withValue(of: index, { $0.text($1) }) else { continue }
            let key = attributes.key(named: name)
            whole.set(attributes.intern(value, for: key), for: key)
        }
        var numbering = copy symbols
        numbering.attributes = attributes
        var recorder = StepRecorder()
        let decision = engine.attest(whole, symbols: numbering, recorder: &recorder)
        count += 1
        expect(silent.attest(whole, symbols: numbering) == decision, "the decision without a recorder")
        let isFirst = seen.insert(decision.device).inserted
        check(recorder.steps, of: decision, observed: flags, isFirst: isFirst)
        checkPolicy(recorder.steps, of: decision, device: head.id)
        return decision
    }

    private mutating func expect(_ holds: Bool, _ what: String) {
        if !holds { problems.append("record \(count): \(what)") }
    }

    // R10, steps 1 to 8: each step continues from what the steps before it left.
    private mutating func check(
        _ steps: [AttestationStep], of decision: Decision, observed: FlagSet, isFirst: Bool
    ) {
        var flags: FlagSet = .empty
        for step in steps {
            switch step {
            case .account(let revision): expect(revision == decision.revision, "the revision")
            case .observed(let reported, let first):
                expect(first == isFirst, "first sight")
                flags = observed.subtracting([.riskyDevice])
                if isFirst { flags.insert(.newDevice) }
                expect(reported == flags, "the observed flags")
            case .pendingBan(let mode): expect(mode != .ban || !flags.contains(.deviceUnban), "a ban of the unbanned")
            case .removedRegistration: flags.insert(.appNotRegistered)
            case .persisted(let added, let removed):
                expect(flags.intersection(added).isEmpty, "adds what is there")
                expect(flags.isSuperset(of: removed), "removes what is not there")
                flags = flags.union(added).subtracting(removed)
            case .risk(let causes):
                expect(causes == flags.intersection(account.catalogue.riskFlags), "the risks")
                if !causes.isEmpty { flags.insert(.riskyDevice) }
            case .filters(let matched, let hits):
                expect(matched == decision.filters && hits == decision.limitHits, "the filters")
            case .actions(let risky, let banning):
                expect(risky == matched(of: decision, with: .risky), "what is risky")
                let isUnbanned = flags.contains(.deviceUnban)
                expect(banning == (isUnbanned ? .empty : matched(of: decision, with: .ban)), "what bans")
                if !risky.isEmpty { flags.insert(.riskyDevice) }
                if !banning.isEmpty { flags.insert(.deviceBan) }
            case .policy(let number, _): expect(number == decision.policy, "the policy")
            }
        }
        expect(flags == decision.flags, "the flags: \(flags.bits ^ decision.flags.bits)")
        expect(steps.count == 8, "eight steps")
    }

    private func matched(of decision: Decision, with option: Filter.Options) -> FilterSet {
        var set = FilterSet.empty
        for index in decision.filters where account.filters[index].options.contains(option) { set.insert(index) }
        return set
    }

    // R10, step 9: the device's own, else the filtered one, else the account's.
    private mutating func checkPolicy(_ steps: [AttestationStep], of decision: Decision, device: DeviceID) {
        guard case .policy(_, let reason)? = steps.last else { return expect(false, "a policy comes last") }
        let own = account.devices.first { $0.id == device }?.policy
        let executing = matched(of: decision, with: .executeFilteredPolicy)
        let used = engine.policy(of: decision)
        switch reason {
        case .ownEntry: expect(own != nil && used == own, "the device's own")
        case .filters(let filters):
            expect(own == nil && filters == executing && !filters.isEmpty, "the filters that execute")
            expect(used == account.effectiveFilteredPolicy, "the filtered policy by filters")
        case .sampled:
            expect(own == nil && executing.isEmpty && account.samplingPercentage > .zero, "sampled")
            expect(used == account.effectiveFilteredPolicy, "the filtered policy, sampled")
        case .account:
            expect(own == nil && used == account.policy, "the account's")
            expect(executing.isEmpty || account.effectiveFilteredPolicy == nil, "not the filtered one")
        }
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> CheckingResult {
        CheckingResult(problems: problems, count: count)
    }
}

/// The result of checking.
struct CheckingResult: ReplayResult {
    var figures = Figures()
    /// The steps that do not make the recorded decision.
    var problems: [String]
    /// The number of records that were evaluated.
    var count: Int

    mutating func add(_ other: CheckingResult) {
        problems += other.problems
        count += other.count
    }
}
