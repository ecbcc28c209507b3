internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// The question that a command asks of captures under an account: the steps that all such commands share, each with its messages.
///
/// A command makes the question, reads the accounts, says in the request what it wants to know, and asks. `CommandCall` then writes
/// the answer and gives the exit status.
struct CaptureQuestion {
    let call: CommandCall
    /// The request to read the captures.
    var request: ReplayRequest
    /// The positions of the account's filters, for warnings about them.
    private(set) var review = FilterReview()
    private let narrowing: CaptureNarrowing?
    private let assumptions: [SignalAssumption]

    /// Checks how the captures are to be read; nothing is read yet.
    ///
    /// - Parameter takesLabels: True if the command takes labels.
    init(_ call: CommandCall, takesLabels: Bool = true) throws(CommandFailure) {
        self.call = call
        request = try CaptureOptions.request(call.arguments)
        request.redactor = call.redactor
        narrowing = try NarrowingOptions.narrowing(call.arguments, takesLabels: takesLabels)
        assumptions = try AssumptionOptions.assumptions(call)
    }

    /// Reads the account, which is changed as the command line says, and the labels. Captures are evaluated by the account after
    /// the change, unless the command wants another one.
    ///
    /// - Throws: After showing all that is wrong with them.
    @discardableResult
    mutating func readAccounts() throws(CommandFailure) -> ChangedAccount {
        var diagnostics = Diagnostics()
        let accounts = AccountOptions.changed(call.arguments, review: &review, diagnostics: &diagnostics)
        request.labels = LabelOptions.labels(call, &diagnostics)
        try call.require(diagnostics)
        guard let accounts else { throw .shown(.invalidInput) }
        request.account = accounts.after
        return accounts
    }

    /// Asks: narrows the captures, and evaluates them under a line that says how far it is.
    func ask<Outcome>(_ evaluate: (ReplayRequest, Progress) -> Outcome) throws(CommandFailure) -> Outcome {
        let narrowed = try narrowed(request)
        return call.following { evaluate(narrowed, $0) }
    }

    /// Asks of records with the signals that are assumed.
    ///
    /// - Returns: The answer, and the assumptions; `nil` where nothing is assumed.
    func askAssuming<Outcome>(
        _ evaluate: (ReplayRequest, Progress) -> Outcome
    ) throws(CommandFailure) -> (outcome: Outcome, assumed: AssumptionFigures?) {
        var narrowed = try narrowed(request)
        let concerned = try concerned(narrowed)
        narrowed.assumed = concerned?.drawn
        return (call.following { [narrowed] in evaluate(narrowed, $0) }, concerned?.figures)
    }

    /// The devices that assumptions are about, for which the captures are read; `nil` where nothing is assumed.
    ///
    /// - Parameter request: A request for what the command line leaves of the captures.
    func concerned(_ request: ReplayRequest) throws(CommandFailure) -> ConcernedDevices? {
        guard !assumptions.isEmpty else { return nil }
        let (concerned, diagnostics) = call.following { progress in
            ConcernedDevices.reading(
                assumptions, request, labels: request.labels, option: AssumptionOptions.assume.name, progress: progress)
        }
        call.console.show(diagnostics)
        guard let concerned else { throw .shown(.invalidInput) }
        return concerned
    }

    /// A request for what the command line leaves of the captures, for which they may be read.
    func narrowed(_ request: ReplayRequest) throws(CommandFailure) -> ReplayRequest {
        guard let narrowing else { return request }
        let (choice, diagnostics) = call.following { progress in
            narrowing.choice(for: request, labels: request.labels, progress: progress)
        }
        call.console.show(diagnostics)
        guard let choice else { throw .shown(.invalidInput) }
        var narrowed = request
        narrowed.choice = choice
        return narrowed
    }
}

extension CommandCall {
    /// The scenario among the operands, which has to be alone; `nil` for captures.
    ///
    /// - Parameter done: What the command does with it: `compared`.
    func onlyScenario(toBe done: String) throws(CommandFailure) -> String? {
        let scenario = operands.first(where: ScenarioFiles.isScenario)
        guard scenario == nil || operands.count == 1 else {
            throw .usage("a scenario is \(done) alone", hint: "captures may be many")
        }
        return scenario
    }
}
