package import Documents
package import Figures
package import PolicyEngine
package import Replay

/// Evaluates the attestations of one device once more, and finds what would turn each verdict.
struct DeviceExplainer {
    private let account: Account
    private let redactor: Redactor?
    private var symbols: SymbolTable
    private var engine: Engine
    // Of this engine and of those that try changes: what all of them search is searched once.
    private let patterns = PatternMatcher(keepsAll: true)
    private var collector: MetricsCollector
    // The attestations and their decisions, for which the changes that would turn them are found at the end.
    private var attestations: [Attestation] = []
    private var decisions: [Decision] = []
    private var values: Set<ExactText> = []
    /// The decided rules on which the decisions rest.
    private(set) var decidedRules: DecidedRules = []

    /// - Parameters:
    ///   - account: The account that decides.
    ///   - redactor: Hides values of attributes; `nil` shows them.
    ///   - catalogue: The flags of the account and of all records, in their order.
    init(_ account: Account, redactor: Redactor?, catalogue: FlagCatalogue) {
        (self.account, self.redactor) = (account, redactor)
        symbols = SymbolTable(catalogue: catalogue)
        engine = Engine(account: account, symbols: &symbols, matcher: patterns)
        collector = MetricsCollector(billingDay: account.billingDay)
    }

    /// Evaluates the next record of the device.
    mutating func add(_ record: KeptRecord) {
        let attestation = record.attestation(&symbols)
        values.formUnion(record.attributes.map { ExactText($0.value) })
        let decision = engine.attest(attestation, symbols: symbols)
        decidedRules.formUnion(engine.decidedRules(of: decision, among: engine.possibleRules, symbols: symbols))
        collector.count(decision, app: .none)
        attestations.append(attestation)
        decisions.append(decision)
    }

    /// The filters that were not searched to the end in some value of the device (R7.2).
    var limitedFilters: [Figures.FilterFigures] {
        collector.figures(engine: engine, symbols: symbols, apps: AppLabels()).filters.filter { $0.limitHits > 0 }
    }

    /// The explanations of all records, with what would turn each verdict.
    var explanations: Explanations {
        var numbering = symbols
        let unused = Engine(account: account, symbols: &numbering, matcher: patterns)
        return Explanations(
            engine: unused, symbols: numbering, attestations: attestations, verdicts: decisions.map(\.passed),
            flips: flips, redactor: redactor)
    }

    private var flips: FlipLists {
        guard let first = attestations.first else { return FlipLists() }
        let observed = attestations.reduce(into: FlagSet.empty) { $0 = $0.union($1.flags) }
        let edits = AccountEdits(account, device: symbols.devices[first.device], flags: observed, values: values)
        let lists = VerdictFlips(
            account: account, attestations: attestations, decisions: decisions, engine: engine, symbols: symbols,
            edits: edits.all, patterns: patterns
        ).find()
        return redactor.map(lists.hidden) ?? lists
    }
}

/// Why one attestation of a device was decided as it was.
package struct Explanation: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// When it attested.
    package var time: Instant
    /// True if the token is valid.
    package var passed: Bool
    /// The policy applied.
    package var policy: String
    /// The steps in the order of R10, each in words.
    package var steps: [Step]
    /// The changes that would turn the verdict, if they were made from the start: alternatives, single commands first. One
    /// command for each way there is; if none alone does it, the smallest pairs.
    package var flips: [Flip]

    /// A step of the evaluation and its result.
    package struct Step: Hashable, Sendable {
        /// Its number in R10.
        package var number: Int
        /// The subject of the step.
        package var name: String
        /// Its result, a line each.
        package var lines: [String]

        /// True for the step in which the token passes or fails (R10, step 10).
        package var decides: Bool { number == 10 }
    }

    /// Management commands which together turn the verdict.
    package struct Flip: Hashable, Sendable {
        package var commands: [String]
    }
}

/// Explains an account's decisions on the attestations of one device in captures.
package struct CaptureExplanation {
    private let request: ReplayRequest
    private let device: SoughtDevice
    private let decidedRules: DecidedRules
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures, how to read them, and the account.
    ///   - device: The device whose attestations are explained.
    ///   - decidedRules: The decided rules on which the account rests, where the command line changed it.
    ///   - progress: Receives now and then how far it is.
    package init(
        _ request: ReplayRequest, device: SoughtDevice, decidedRules: DecidedRules = [],
        progress: Progress = Progress()
    ) {
        self.request = request
        self.decidedRules = decidedRules
        self.device = device
        self.progress = progress
    }

    /// Reads everything. The attestations of the device affect one another, and those of other devices do not affect them.
    package func run() -> DeviceExplanations {
        let keys = CaptureRecords.keys(for: request.account)
        let kept = CaptureRecords(request, keys: keys, devices: .one(device), progress: progress).read()
        var explainer = DeviceExplainer(request.account, redactor: request.redactor, catalogue: kept.catalogue)
        guard !kept.diagnostics.hasErrors, !kept.records.isEmpty else {
            return DeviceExplanations(
                explanations: explainer.explanations, decidedRules: [], diagnostics: kept.diagnostics)
        }
        for record in kept.records { explainer.add(record) }
        var diagnostics = kept.diagnostics
        for filter in explainer.limitedFilters {
            diagnostics.add(filter.limitWarning(file: "filter \(filter.name)"))
        }
        return DeviceExplanations(
            explanations: explainer.explanations, decidedRules: decidedRules.union(explainer.decidedRules),
            diagnostics: diagnostics)
    }
}

/// The explanations of all attestations of one device.
package struct DeviceExplanations {
    /// In the order of time; none where the input was refused.
    package let explanations: Explanations
    /// The decided rules on which the decisions rest.
    package let decidedRules: DecidedRules
    /// The narrowing of the captures; `nil` for all of their records.
    package var narrowed: NarrowedRecords?
    /// The errors and warnings about the input.
    package let diagnostics: Diagnostics
}
