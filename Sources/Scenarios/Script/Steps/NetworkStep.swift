internal import Accounts
internal import Documents
internal import PolicyEngine

/// The devices move to another network (R14.2).
struct NetworkStep: GroupAction {
    static let key = "network"
    let groups: [Int]
    let change: NetworkChange
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema {
        let fields: [(name: String, schema: JSONSchema)] = [
            ("group", .groups), ("state", .words(of: NetworkState.self)),
            ("only", .list(of: RuleForms.domain, atLeast: 1)), ("trusted", .boolean),
        ]
        return .object(fields, required: ["group", "state"])
    }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> NetworkStep? {
        var (only, trusted): (Node?, Node?)
        let read = loader.groups(in: node, "`network`") { fields, loader -> NetworkState? in
            let state = fields.require("state", &loader.reader)
            (only, trusted) = (fields.take("only"), fields.take("trusted"))
            return state.flatMap { loader.reader.word($0, "`state`") }
        }
        guard let (groups, state) = read else { return nil }
        guard state == .mitm else {
            if let other = only ?? trusted {
                loader.reader.error("`only` and `trusted` need `state: mitm`", at: other.position)
            }
            return NetworkStep(groups: groups, change: NetworkChange(state: state))
        }
        let domains = only.flatMap { BackendLoader.domains($0, "`only`", &loader.reader) }
        let isTrusted = trusted.flatMap { loader.reader.boolean($0, "`trusted`") } ?? false
        let proxy = Proxy(domains: domains.map(Set.init), isTrusted: isTrusted)
        return NetworkStep(groups: groups, change: NetworkChange(state: state, proxy: proxy))
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
