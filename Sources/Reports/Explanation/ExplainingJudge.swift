internal import PolicyEngine
internal import Replay

/// Judges records by one account, and keeps why it decided as it did on those of one device.
struct ExplainingJudge: RecordJudge {
    private(set) var engine: Engine
    // The device's attestations are judged with their attributes, which have numbers here alone.
    private var attributes: AttributeTable
    private var collector: MetricsCollector
    private let device: DeviceID
    private var explanations: [Explanation] = []
    // What would turn a verdict is the same where everything that bears on it is.
    private var flips: [Reason: [Explanation.Flip]] = [:]

    private struct Reason: Hashable {
        let flags: FlagSet
        let filters: FilterSet
        let policy: PolicyNumber
        let revision: Int
        // Without the filters that execute the filtered policy, whether the device is sampled decides; that is a
        // matter of the day (R7.6).
        let day: Int
    }

    init(_ account: Account, device: DeviceID, symbols: inout SymbolTable) {
        collector = MetricsCollector(billingDay: account.billingDay)
        engine = Engine(account: account, symbols: &symbols)
        attributes = symbols.attributes
        self.device = device
    }

    mutating func judge(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<ExplainingAppraiser.Findings>,
        index: Int, symbols: borrowing SymbolTable
    ) -> Decision {
        switch record.findings {
        case .found(let findings): return engine.attest(attestation, findings: findings, symbols: symbols)
        case .attributes(let values):
            var whole = copy attestation
            for (name, value) in values {
                let key = attributes.key(named: name)
                whole.set(attributes.intern(value, for: key), for: key)
            }
            var numbering = copy symbols
            numbering.attributes = attributes
            return explain(whole, symbols: numbering)
        }
    }

    private mutating func explain(_ attestation: Attestation, symbols: SymbolTable) -> Decision {
        let before = engine
        var recorder = StepRecorder()
        let decision = engine.attest(attestation, symbols: symbols, recorder: &recorder)
        collector.count(decision, app: .none)
        explain(decision, on: attestation, steps: recorder.steps, before: before, symbols: symbols)
        return decision
    }

    private mutating func explain(
        _ decision: Decision, on attestation: Attestation, steps: [AttestationStep], before: Engine,
        symbols: SymbolTable
    ) {
        let reason = Reason(
            flags: decision.flags, filters: decision.filters, policy: decision.policy, revision: decision.revision,
            day: decision.time.dayNumber)
        let found =
            flips[reason]
            ?? VerdictFlips(engine: before, symbols: symbols, attestation: attestation, decision: decision).find()
        flips[reason] = found
        let words = ExplainedSteps(
            engine: engine, symbols: symbols, decision: decision, attestation: attestation, steps: steps)
        explanations.append(
            Explanation(
                time: decision.time, passed: decision.passed, policy: engine.policy(of: decision).description,
                steps: words.explained, flips: found))
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> ExplainingResult {
        ExplainingResult(
            figures: collector.figures(engine: engine, symbols: symbols, apps: AppLabels()),
            explanations: explanations)
    }
}
