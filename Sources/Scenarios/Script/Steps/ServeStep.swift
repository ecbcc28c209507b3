internal import Documents
internal import PolicyEngine

/// Backends present another chain, or look at tokens differently (R18.6, R19.4).
struct ServeStep: StepAction {
    static let key = "serve"
    static let help = "Changes what backends present and check, by domain."
    let changes: [Backends.Change]
    // A monitored domain may present what has no pin.
    var reach: Set<AccountPart> { [.domains] }

    static func form(_: ScenarioScope) -> ValueForm<ServeStep> {
        Backends.changes.map { ServeStep(changes: $0) }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        run.requests.apply(changes)
        for service in run.services { service.backends = run.requests.backends }
        return ["serve \(text)"]
    }

    func event(in _: Scenario) -> StepEvent {
        .everybody(EventTrace.Event(kind: Self.key, rule: "R18.6", name: "backends", line: text))
    }

    private static func text(_ chain: KeyChain) -> String { "[\(chain.keys.joined(separator: ", "))]" }

    // The changes in words.
    private var text: String {
        let parts = changes.map { change in
            let chain = change.chain.map(Self.text)
            let local = change.localChain.map { "\(Self.text($0)) locally" }
            let silence = change.answers.map { $0 ? "answers" : "does not answer" }
            let token = change.requiresToken.map { "token \($0 ? "required" : "ignored")" }
            let clock = change.clock.map { "clock \(ClockText.text($0))" }
            return
                "\(change.domain) \([chain, local, token, clock, silence].compactMap(\.self).joined(separator: ", "))"
        }
        return parts.joined(separator: "; ")
    }
}

extension Scenario {
    /// All chains that its backends present at some time.
    var chains: [KeyChain] {
        backends.chains
            + actions(ServeStep.self).flatMap(\.changes).flatMap { [$0.chain, $0.localChain].compactMap(\.self) }
    }
}
