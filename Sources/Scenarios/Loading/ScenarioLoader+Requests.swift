internal import Documents
internal import PolicyEngine

// Steps about requests, and who is on their way (R18, R19).
extension ScenarioLoader {
    /// Reads a request (R19).
    mutating func request(_ node: Node, _ fields: RequestFields) -> StepAction? {
        let groups = groups(node, "`request`")
        guard let target = fields.target else {
            reader.error(
                "`request` needs `to`", at: node.position, hint: "it names the domain, such as api.example.com")
            return nil
        }
        guard let text = reader.text(target, "`to`") else { return nil }
        guard var request = RequestTarget(text) else {
            reader.error(
                "\(text.quoted) is neither a domain nor a URL with `https` or `http`", at: target.position)
            return nil
        }
        if request.isPlain {
            if let other = fields.data ?? fields.header ?? fields.sender {
                reader.error(
                    "a request by plain HTTP carries neither a token nor what one is bound to", at: other.position)
            }
            return groups.map { .request(groups: $0, request) }
        }
        if let header = header(fields, of: groups ?? []) { request.header = header }
        if let sender = fields.sender { request.tokenGroup = tokenGroup(sender, for: groups ?? []) }
        return groups.map { .request(groups: $0, request) }
    }

    // R19.1: `data: none` is a request without the header, as is `header: absent`.
    private mutating func header(_ fields: RequestFields, of groups: [Int]) -> RequestTarget.HeaderValue? {
        for (name, node) in [("`data`", fields.data), ("`header`", fields.header)] {
            if let node, !groups.isEmpty, groups.allSatisfy({ clients[$0]?.bindingHeader == nil }) {
                reader.error("\(name) goes with a `binding-header` of the group's `client`", at: node.position)
            }
        }
        let presence = fields.header.flatMap { reader.choice($0, "`header`", from: ["present", "absent"]) }
        let text = fields.data.flatMap { reader.text($0, "`data`") }
        if let presence, let text, let data = fields.data, (presence == "absent") != (text == "none") {
            reader.error("`data: \(text)` contradicts `header: \(presence)`", at: data.position)
        }
        if presence == "absent" || text == "none" { return .absent }
        return text.map { .text($0) }
    }

    // R19.8: install by install, or that of the only one.
    private mutating func tokenGroup(_ node: Node, for groups: [Int]) -> Int? {
        guard let index = group(node) else { return nil }
        let other = scenario.groups[index]
        if groups.contains(where: { scenario.groups[$0].account != other.account }) {
            reader.error("group \(other.name.quoted) has tokens of another account", at: node.position)
        }
        if other.count > 1, groups.contains(where: { scenario.groups[$0].count > other.count }) {
            reader.error(
                "group \(other.name.quoted) has fewer devices than make requests", at: node.position,
                hint: "it has one device, or as many")
        }
        return index
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
