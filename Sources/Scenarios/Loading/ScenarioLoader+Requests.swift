internal import Documents
internal import PolicyEngine

// Steps about requests, and who is on their way (R18, R19).
extension ScenarioLoader {
    /// Reads a request (R19).
    mutating func request(_ node: Node, to target: Node?, data: Node?) -> StepAction? {
        let groups = groups(node, "`request`")
        guard let target else {
            reader.error(
                "`request` needs `to`", at: node.position, hint: "it names the domain, such as api.example.com")
            return nil
        }
        guard let text = reader.text(target, "`to`") else { return nil }
        guard let host = RequestedDomain.domain(of: text) else {
            reader.error("\(text.quoted) is neither a domain nor a URL with `https`", at: target.position)
            return nil
        }
        checkMeasurement(text, of: groups ?? [], at: target.position)
        var request = RequestTarget(text: text, host: host.lowercased())
        if let data, let header = header(data, of: groups ?? []) { request.header = header }
        return groups.map { .request(groups: $0, request) }
    }

    // R19.1: `none` is a request without the header.
    private mutating func header(_ node: Node, of groups: [Int]) -> RequestTarget.HeaderValue? {
        guard let text = reader.text(node, "`data`") else { return nil }
        if !groups.isEmpty, groups.allSatisfy({ clients[$0]?.bindingHeader == nil }) {
            reader.error("`data` goes with a `binding-header` of the group's `client`", at: node.position)
        }
        return text == "none" ? .absent : .text(text)
    }

    /// Reads how a new version of a group's app uses the SDK; what is not said stays.
    mutating func update(_ group: Int, to node: Node) -> ClientSettings {
        let client = ClientLoader.load(
            node, from: clients[group] ?? ClientSettings(), start: scenario.start, &reader)
        clients[group] = client
        return client
    }

    /// Reads a move to another network.
    mutating func network(_ node: Node) -> StepAction? {
        guard var fields = reader.mapping(node, "`network`") else { return nil }
        let groups = fields.require("group", &reader).flatMap { self.groups($0, "`group`") }
        let stateNode = fields.require("state", &reader)
        let state: NetworkState? = stateNode.flatMap { reader.word($0, "`state`") }
        let (only, trusted) = (fields.take("only"), fields.take("trusted"))
        fields.finish(&reader)
        guard let groups, let state else { return nil }
        guard state == .mitm else {
            if let other = only ?? trusted {
                reader.error("`only` and `trusted` go with `state: mitm`", at: other.position)
            }
            return .network(groups: groups, NetworkChange(state: state))
        }
        let domains = only.flatMap { BackendLoader.domains($0, "`only`", &reader) }
        let isTrusted = trusted.flatMap { reader.boolean($0, "`trusted`") } ?? false
        return .network(
            groups: groups,
            NetworkChange(state: state, proxy: Proxy(domains: domains.map(Set.init), isTrusted: isTrusted)))
    }
}
