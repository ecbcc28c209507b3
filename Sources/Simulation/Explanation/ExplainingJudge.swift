internal import PolicyEngine

/// Judges records by one account, and keeps why it decided as it did on those of one device.
struct ExplainingJudge: RecordJudge {
    private(set) var engine: Engine
    private var collector: MetricsCollector
    private let device: DeviceID
    private(set) var explanations: [Explanation] = []
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
        collector = MetricsCollector(billingDay: account.billingDay, symbols: &symbols)
        engine = Engine(account: account, symbols: &symbols)
        self.device = device
    }

    mutating func judge(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) -> Decision {
        let attestation = record.attestation
        guard symbols.devices[attestation.device] == device else {
            return engine.attest(attestation, symbols: symbols)
        }
        let before = engine
        var recorder = StepRecorder()
        let decision = engine.attest(attestation, symbols: symbols, recorder: &recorder)
        collector.count(decision, on: attestation, system: record.operatingSystem)
        explain(decision, on: attestation, steps: recorder.steps, before: before, symbols: copy symbols)
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

    mutating func countBadRequest() { collector.countBadRequest() }

    func figures(symbols: SymbolTable) -> Figures { collector.figures(engine: engine, symbols: symbols) }
}
