internal import Documents
internal import PolicyEngine
internal import Replay

extension ScenarioLoader {
    /// Reads what must hold at the end: a mapping, or a list of mappings that name accounts.
    mutating func readFinalExpectations() {
        guard let node = mapping.take("expect") else { return }
        var nodes = [node]
        if case .sequence(let list) = node.content { nodes = list }
        if nodes.isEmpty { reader.error("`expect` expects nothing", at: node.position) }
        for entry in nodes {
            if let expectation = finalExpectation(entry) { scenario.finalExpectations.append(expectation) }
        }
    }

    /// Warns if nothing is expected, unless something cannot be read: that may be an expectation.
    mutating func warnOfNoExpectations() {
        guard isChecked, !reader.diagnostics.hasErrors, scenario.finalExpectations.isEmpty,
            scenario.steps.allSatisfy(\.expectations.isEmpty)
        else { return }
        reader.warning(
            "the scenario expects nothing, so it cannot fail", at: mapping.position,
            hint: "add `expect` to a step or at the end")
    }

    private mutating func finalExpectation(_ node: Node) -> FinalExpectation? {
        guard var fields = reader.mapping(node, "`expect`") else { return nil }
        let index = account(fields.take("account"), for: "`expect`", at: node.position)
        var expectation = FinalExpectation(account: index)
        let (metrics, states, requests) = (
            fields.take("metrics"), fields.take("device-state"), fields.take("requests")
        )
        if let node = fields.take("notifications") {
            let count = CountLoader.load(node, "`notifications`", &reader)
            expectation.notifications = count.map { .init(position: node.position, count: $0) }
        }
        expectation.allowsVacuous = allowsVacuous(&fields)
        fields.finish(&reader)
        if let metrics { expectation.metrics = self.metrics(metrics, account: index) }
        if let states { expectation.states = self.states(states, account: index) }
        if let requests { expectation.requests = requestChecks(requests, account: index) }
        let isEmpty =
            expectation.metrics.isEmpty && expectation.states.isEmpty && expectation.requests.isEmpty
            && expectation.notifications == nil
        if isEmpty, !reader.diagnostics.hasErrors {
            reader.error("`expect` says nothing to check", at: node.position)
        }
        return expectation
    }

    // The entries of a mapping; an empty one is an error, since it would check nothing.
    private mutating func entries(_ node: Node, _ what: String) -> [Node.Entry] {
        guard let entries = reader.mapping(node, what)?.entries else { return [] }
        if entries.isEmpty { reader.error("\(what) says nothing to check", at: node.position) }
        return entries
    }

    private mutating func metrics(_ node: Node, account index: Int) -> [FinalExpectation.Metric] {
        var metrics: [FinalExpectation.Metric] = []
        let catalogue = scenario.accounts[index].account.catalogue
        let apps = appNames(ofAccount: index)
        for entry in entries(node, "`metrics`") {
            let check = Metric.check(entry.key, catalogue: catalogue, filters: rehearsal.filterNames[index], apps: apps)
            if case .unknown(let hint) = check {
                reader.error("unknown metric \(entry.key.quoted)", at: entry.keyPosition, hint: hint)
            }
            if let count = CountLoader.load(entry.value, entry.key.quoted, &reader), case .valid(let metric) = check {
                metrics.append(.init(metric: metric, position: entry.keyPosition, count: count))
            }
        }
        return metrics
    }

    private mutating func states(_ node: Node, account index: Int) -> [FinalExpectation.State] {
        var states: [FinalExpectation.State] = []
        for entry in entries(node, "`device-state`") {
            guard let target = stateTarget(entry) else { continue }
            var flags: FlagSet?
            if case .scalar("none", _) = entry.value.content {
                flags = nil
            } else {
                flags = self.flags(entry.value, scenario.accounts[index].account.catalogue, isObserved: false)
            }
            if case .group(let group) = target, scenario.groups[group].account != index {
                reader.error("group \(entry.key.quoted) belongs to another account", at: entry.keyPosition)
            }
            states.append(.init(target: target, name: entry.key, position: entry.keyPosition, flags: flags))
        }
        return states
    }

    // Figures of all groups, and groups by name with their own (R19.6).
    private mutating func requestChecks(_ node: Node, account index: Int) -> [RequestCheck] {
        var checks: [RequestCheck] = []
        for entry in entries(node, "`requests`") {
            if let check = RequestCheckLoader.load(entry, group: nil, &reader) {
                if let check = check.found { checks.append(check) }
                continue
            }
            let key = Node(position: entry.keyPosition, content: .scalar(entry.key, isPlain: true))
            guard case .mapping = entry.value.content, groupIndices[ExactText(entry.key)] != nil else {
                let names = RequestCheck.Figure.all.map(\.name) + scenario.groups.map(\.name)
                reader.error(
                    "\(entry.key.quoted) is neither a figure of requests nor a group", at: entry.keyPosition,
                    hint: Suggestion.hint(for: entry.key, among: names))
                continue
            }
            guard let group = group(key) else { continue }
            if scenario.groups[group].account != index {
                reader.error("group \(entry.key.quoted) belongs to another account", at: entry.keyPosition)
            }
            for figure in entries(entry.value, entry.key.quoted) {
                guard let check = RequestCheckLoader.load(figure, group: group, &reader) else {
                    reader.error(
                        "unknown figure \(figure.key.quoted) of requests", at: figure.keyPosition,
                        hint: Suggestion.hint(for: figure.key, among: RequestCheck.Figure.all.map(\.name)))
                    continue
                }
                if let check = check.found { checks.append(check) }
            }
        }
        return checks
    }

    private mutating func stateTarget(_ entry: Node.Entry) -> FetchExpectation.Target? {
        if let id = DeviceID(entry.key) { return .device(id) }
        let key = Node(position: entry.keyPosition, content: .scalar(entry.key, isPlain: true))
        return group(key).map { .group($0) }
    }
}

extension ScenarioLoader {
    /// The apps that devices of an account can come with at some time: what its groups say, and what steps set.
    func appNames(ofAccount index: Int) -> AppNames {
        var names = AppNames()
        let changes = attributeChanges
        for (number, group) in scenario.groups.enumerated() where group.account == index {
            let attributes = group.attributes + (changes[number] ?? [])
            names.add(
                apps: Self.texts(of: "appid", in: attributes),
                versions: Self.texts(of: "app-version", in: attributes))
        }
        return names
    }

    // By group: the attributes that steps give its devices.
    private var attributeChanges: [Int: [DeviceGroup.Attribute]] {
        scenario.steps.reduce(into: [:]) { changes, step in
            if case .set(let group, let change) = step.action { changes[group, default: []] += change.attributes }
        }
    }

    private static func texts(of key: String, in attributes: [DeviceGroup.Attribute]) -> [String] {
        attributes.filter { $0.key == key }.flatMap(\.source.texts)
    }
}
