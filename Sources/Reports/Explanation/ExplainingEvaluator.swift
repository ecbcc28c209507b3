internal import PolicyEngine
internal import Replay

/// Evaluates records by one account, and keeps why it decided as it did on those of one device.
struct ExplainingEvaluator: RecordEvaluator {
    private(set) var engine: Engine
    // Of this engine and of those that try changes: what all of them search is searched once.
    private let patterns = PatternMatcher(runBudget: RunBudget.total, keepsAll: true)
    private let account: Account
    // The device's attestations are evaluated with their attributes, which have numbers here alone.
    private var attributes: AttributeTable
    private var collector: MetricsCollector
    private let device: DeviceID
    private var explanations: [Explanation] = []
    // The device's attestations and their decisions, for which the changes that would turn them are found at the end.
    private var attestations: [Attestation] = []
    private var decisions: [Decision] = []
    private var values: Set<ExactText> = []

    private let redactor: Redactor?

    init(_ account: Account, device: DeviceID, redactor: Redactor?, symbols: inout SymbolTable) {
        collector = MetricsCollector(billingDay: account.billingDay)
        engine = Engine(account: account, symbols: &symbols, matcher: patterns)
        self.account = account
        attributes = symbols.attributes
        self.device = device
        self.redactor = redactor
    }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<ExplainingMatcher.Matches>,
        index: Int, symbols: borrowing SymbolTable
    ) -> Decision {
        switch record.matches {
        case .found(let matches): return engine.attest(attestation, matches: matches, symbols: symbols)
        case .attributes(let found):
            var whole = copy attestation
            for (name, value) in found {
                // All are kept: changed accounts look at others than this one.
                let key = attributes.key(named: name, keepingAll: true)
                whole.set(attributes.intern(value, for: key), for: key)
                values.insert(ExactText(value))
            }
            var numbering = copy symbols
            numbering.attributes = attributes
            return explain(whole, symbols: numbering)
        }
    }

    private mutating func explain(_ attestation: Attestation, symbols: SymbolTable) -> Decision {
        var recorder = StepRecorder()
        let decision = engine.attest(attestation, symbols: symbols, recorder: &recorder)
        collector.count(decision, app: .none)
        attestations.append(attestation)
        decisions.append(decision)
        let words = ExplainedSteps(
            engine: engine, symbols: symbols, decision: decision, attestation: attestation, steps: recorder.steps,
            redactor: redactor)
        explanations.append(
            Explanation(
                device: device, time: decision.time, passed: decision.passed,
                policy: engine.policy(of: decision).description, steps: words.explained, flips: []))
        return decision
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> ExplainingResult {
        var whole = explanations
        for (index, flips) in flips(symbols).enumerated() { whole[index].flips = flips.map(hidden) }
        return ExplainingResult(
            figures: collector.figures(engine: engine, symbols: symbols, apps: AppLabels()), explanations: whole)
    }

    private func hidden(_ flip: Explanation.Flip) -> Explanation.Flip {
        guard let redactor else { return flip }
        return Explanation.Flip(commands: flip.commands.map { RedactedCommand.text($0, by: redactor) })
    }

    private func flips(_ symbols: SymbolTable) -> [[Explanation.Flip]] {
        guard !attestations.isEmpty else { return [] }
        var numbering = symbols
        numbering.attributes = attributes
        let observed = attestations.reduce(into: FlagSet.empty) { $0 = $0.union($1.flags) }
        let edits = AccountEdits(account, device: device, flags: observed, values: values).all
        return VerdictFlips(
            account: account, attestations: attestations, decisions: decisions, engine: engine, symbols: numbering,
            edits: edits, patterns: patterns
        ).find()
    }
}

/// Keeps the result of each step of one attestation.
struct StepRecorder: AttestationRecorder {
    private(set) var steps: [AttestationStep] = []

    mutating func record(_ step: AttestationStep) { steps.append(step) }
}
