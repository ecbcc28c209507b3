internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine

/// The hosts to which steps make requests. A misspelt one is unknown to the account, so that its backend accepts every request
/// (R19.4): each must be named somewhere else, or be expected to be unknown.
struct RequestedHosts {
    private var requests: [(step: RequestStep, position: SourcePosition)] = []

    /// Adds a step, unless it makes no request, or is expected to find its host unknown.
    ///
    /// - Parameters:
    ///   - target: The host as it is written.
    ///   - expectations: The expectations of the step.
    mutating func add(_ action: any StepAction, to target: Node?, expecting expectations: Node?) {
        guard let step = action as? RequestStep, let target else { return }
        if expectations.map(Self.expectsUnknownHost) != true { requests.append((step, target.position)) }
    }

    private static func expectsUnknownHost(_ expectations: Node) -> Bool {
        if case .sequence(let nodes) = expectations.content { return nodes.contains(where: expectsUnknownHost) }
        return expectations["result"]?.text == FetchResult.unknownURL.rawValue
    }

    /// Notes each host that nothing else names: neither an account, nor a backend, nor a step.
    func check(_ scenario: Scenario, _ reader: inout DocumentReader) {
        let commands = scenario.actions(CommandStep.self).map(\.command)
        // The domains of a file are known only when it is read.
        guard !commands.contains(where: \.setsAllDomains) else { return }
        let domains = scenario.accounts.flatMap(\.account.apiDomains).map(\.name) + commands.compactMap(\.addedDomain)
        let named =
            domains.map { $0.lowercased() } + scenario.backends.domains
            + scenario.actions(ServeStep.self).flatMap { $0.changes.map(\.domain) }
            + scenario.actions(NetworkStep.self).flatMap { $0.change.path.proxy?.domains?.sorted() ?? [] }
            + scenario.groups.flatMap { $0.client.staticPins.keys.sorted() }
        let known = Set(named)
        for request in requests where !known.contains(request.step.target.host) {
            let host = request.step.target.host
            let accounts = Set(request.step.groups.map { scenario.groups[$0].account })
            let closest = Suggestion.hint(for: host, among: named)
            // An account without a list serves every domain.
            guard closest != nil || accounts.contains(where: { scenario.accounts[$0].account.listsAPIDomains }) else {
                continue
            }
            reader.error(
                "neither an account nor a backend is called \(host.quoted)", at: request.position,
                hint: closest ?? "`backends` names a host that is no API domain, and `result: UNKNOWN_URL` expects one")
        }
    }
}

extension ManagementCommand {
    fileprivate var addedDomain: String? {
        if case .add(let addition)? = value as? DomainTopic { addition.domain.name } else { nil }
    }

    fileprivate var setsAllDomains: Bool { if case .setAll? = value as? DomainTopic { true } else { false } }
}
