internal import Figures
internal import PolicyEngine
internal import Replay

/// Evaluates the attestations of one device once more, and keeps why the account decided as it did.
struct DeviceExplainer {
    private let account: Account
    private let device: DeviceID
    private let redactor: Redactor?
    private var symbols: SymbolTable
    private var engine: Engine
    // Of this engine and of those that try changes: what all of them search is searched once.
    private let patterns = PatternMatcher(runBudget: RunBudget.total, keepsAll: true)
    private var collector: MetricsCollector
    // The attestations and their decisions, for which the changes that would turn them are found at the end.
    private var attestations: [Attestation] = []
    private var decisions: [Decision] = []
    private var values: Set<ExactText> = []
    private var explained: [Explanation] = []
    /// The decided rules on which the decisions rest.
    private(set) var decidedRules: DecidedRules = []

    /// - Parameters:
    ///   - account: The account that decides.
    ///   - redactor: Hides values of attributes; `nil` shows them.
    ///   - catalogue: The flags of the account and of all records, in their order.
    init(_ account: Account, device: DeviceID, redactor: Redactor?, catalogue: FlagCatalogue) {
        (self.account, self.device, self.redactor) = (account, device, redactor)
        symbols = SymbolTable(catalogue: catalogue)
        engine = Engine(account: account, symbols: &symbols, matcher: patterns)
        collector = MetricsCollector(billingDay: account.billingDay)
    }

    /// Evaluates the next record of the device.
    mutating func add(_ record: KeptRecord) {
        let attestation = record.attestation(&symbols)
        values.formUnion(record.attributes.map { ExactText($0.value) })
        var recorder = StepRecorder()
        let decision = engine.attest(attestation, symbols: symbols, recorder: &recorder)
        decidedRules.formUnion(engine.decidedRules(of: decision, among: engine.possibleRules, symbols: symbols))
        collector.count(decision, app: .none)
        attestations.append(attestation)
        decisions.append(decision)
        let words = ExplainedSteps(
            engine: engine, symbols: symbols, decision: decision, attestation: attestation, steps: recorder.steps,
            redactor: redactor)
        explained.append(
            Explanation(
                device: device, time: decision.time, passed: decision.passed,
                policy: engine.policy(of: decision).description, steps: words.explained, flips: []))
    }

    /// The filters that were not searched to the end in some value of the device (R7.2).
    var limitedFilters: [Figures.FilterFigures] {
        collector.figures(engine: engine, symbols: symbols, apps: AppLabels()).filters.filter { $0.limitHits > 0 }
    }

    /// The explanations of all records, with what would turn each verdict.
    var explanations: [Explanation] {
        guard !attestations.isEmpty else { return [] }
        let observed = attestations.reduce(into: FlagSet.empty) { $0 = $0.union($1.flags) }
        let flips = VerdictFlips(
            account: account, attestations: attestations, decisions: decisions, engine: engine, symbols: symbols,
            edits: AccountEdits(account, device: device, flags: observed, values: values).all, patterns: patterns
        ).find()
        return zip(explained, flips).map { explanation, flips in
            var whole = explanation
            whole.flips = flips.map(hidden)
            return whole
        }
    }

    private func hidden(_ flip: Explanation.Flip) -> Explanation.Flip {
        guard let redactor else { return flip }
        return Explanation.Flip(commands: flip.commands.map { RedactedCommand.text($0, by: redactor) })
    }
}

/// Keeps the result of each step of one attestation.
struct StepRecorder: AttestationRecorder {
    private(set) var steps: [AttestationStep] = []

    mutating func record(_ step: AttestationStep) { steps.append(step) }
}
