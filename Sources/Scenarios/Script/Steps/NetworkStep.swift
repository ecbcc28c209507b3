internal import Accounts
internal import Documents
internal import PolicyEngine

/// The devices move to another network (R14.2).
struct NetworkStep: MappedAction {
    static let key = "network"
    static let fields = RecordFields<NetworkStep>([
        .required("state", \.change.state, .word), .optional("only", \.domains, .domains),
        .truth("trusted", \.isTrusted),
    ])
    var groups: [Int] = []
    var change = NetworkChange(state: .ok)
    // Of a proxy: the domains whose connections it intercepts, and whether its certificate is trusted.
    private var domains: [String]?
    private var isTrusted = false
    var reach: Set<AccountPart> { [] }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> NetworkStep? {
        guard var step = read(node, &loader) else { return nil }
        if step.change.state == .mitm {
            step.change.proxy = Proxy(domains: step.domains.map(Set.init), isTrusted: step.isTrusted)
        } else if let other = node["only"] ?? node["trusted"] {
            loader.reader.error("`only` and `trusted` need `state: mitm`", at: other.position)
        }
        return step
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        run.devices.forEachInstall(of: groups) { $0.move(to: change) }
        return ["network \(change.state.rawValue) for \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R14.2", "network", words, subject: "network \(change.state.rawValue)")
    }

    private var words: String {
        switch change.state {
        case .ok: return "all requests arrive"
        case .none: return "there is no network, and the client detects it"
        case .poor: return "requests get lost"
        case .mitm:
            let domains = change.proxy?.domains?.sorted()
            let destination =
                domains.map { "to \($0.joined(separator: ", "))" } ?? "to everything, the service included"
            let trust = change.proxy?.isTrusted == true ? "trusts" : "does not trust"
            return "a proxy is on the way \(destination); the platform \(trust) the certificate"
        }
    }
}

extension ValueForm<[String]> {
    // Names of domains in lower case.
    fileprivate static var domains: ValueForm {
        ValueForm(.list(of: RuleForms.domain, atLeast: 1)) { BackendLoader.domains($0, $1, &$2) }
    }
}
