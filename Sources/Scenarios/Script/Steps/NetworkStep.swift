internal import Accounts
internal import Documents
internal import PolicyEngine

/// The devices move to another network (R14.2).
struct NetworkStep: MappedAction {
    static let key = "network"
    static let help = "Moves the devices of a group to another network."
    var groups: [Int] = []
    private(set) var change = NetworkChange(state: .ok)
    // The domains whose connections a proxy intercepts, and whether its certificate is trusted.
    private var domains: [String]?
    private var isTrusted = false
    var reach: Set<AccountPart> { [] }

    static let fields: [Field<NetworkStep>] = [
        .required(
            "state", \.change.state, .word,
            "The network: ok, none, poor where requests get lost, or mitm where somebody reads them."),
        .optional("only", \.domains, intercepted, "The domains whose connections the proxy intercepts."),
        .truth("trusted", \.isTrusted, "With true, the platform trusts the proxy's certificate."),
        .truth(
            "local", \.change.path.isLocal,
            "With true, the devices are on the network where management commands are given."),
    ]

    private static let intercepted = ValueForm<[String]>(.list(of: RuleForms.domain, atLeast: 1)) {
        node, what, reader in
        guard let texts = reader.texts(node, what) else { return nil }
        if texts.isEmpty { reader.error("\(what) names no domain", at: node.position) }
        return texts.compactMap { Backends.domain($0.text, at: $0.position, &reader) }
    }

    static func form(_ scope: ScenarioScope) -> ValueForm<NetworkStep> {
        mapping(scope).flatMap { step, node, _, reader in
            var step = step
            if step.change.state == .mitm {
                step.change.path.proxy = Proxy(domains: step.domains.map(Set.init), isTrusted: step.isTrusted)
            } else if let other = node["only"] ?? node["trusted"] {
                reader.error("`only` and `trusted` need `state: mitm`", at: other.position)
            }
            return step
        }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        run.devices.forEachInstall(of: groups) { $0.move(to: change) }
        return ["network \(change.state.rawValue)\(change.path.isLocal ? ", local," : "") for \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R14.2", "network", subject: "network \(change.state.rawValue)") { _ in words }
    }

    private var words: String {
        switch change.state {
        case .ok:
            return change.path.isLocal
                ? "all requests arrive, from where management commands are given" : "all requests arrive"
        case .none: return "there is no network, and the client detects it"
        case .poor: return "requests get lost"
        case .mitm:
            let domains = change.path.proxy?.domains?.sorted()
            let destination =
                domains.map { "to \($0.joined(separator: ", "))" } ?? "to everything, the service included"
            let trust = change.path.proxy?.isTrusted == true ? "trusts" : "does not trust"
            return "a proxy is on the way \(destination); the platform \(trust) the certificate"
        }
    }
}

/// Services do not answer, up to some seconds from the scenario's start; `nil` is without end (R14.3, R20).
struct OutageStep: StepAction {
    static let key = "outage"
    static let help = "The services that do not answer."
    let kind: Outages.Kind
    let until: Int?
    var reach: Set<AccountPart> { [] }

    static func form(_ scope: ScenarioScope) -> ValueForm<OutageStep> {
        ValueForm<Outages.Kind>.word.flatMap { kind, _, _, reader in
            guard let until = scope.companions["until"] else { return OutageStep(kind: kind, until: nil) }
            guard let end = reader.duration(until, "`until`") else { return nil }
            if end > scope.at { return OutageStep(kind: kind, until: end) }
            reader.error("`until` must lie after `at`", at: until.position)
            return nil
        }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        let end = until.map { run.scenario.start + $0 }
        run.outages.start(Outage(start: run.time, end: end), of: kind)
        let whose =
            switch kind {
            case .primary: "the primary service"
            case .failover: "the failover"
            case .all: "all services"
            }
        return ["outage of \(whose) \(end.map { "until \($0)" } ?? "without end")"]
    }

    func event(in scenario: Scenario) -> StepEvent {
        let whose =
            switch kind {
            case .primary: "the primary service does"
            case .failover: "the failover does"
            case .all: "no service does"
            }
        let end = until.map { "up to \(scenario.start + $0)" } ?? "from now on"
        return .everybody(
            EventTrace.Event(
                kind: Self.key, words: "outage \(kind.rawValue)", rule: "R14.3", name: "service",
                line: "\(whose) not answer, \(end)"))
    }
}
