internal import Accounts
internal import Documents
internal import PolicyEngine

extension ScenarioLoader {
    /// Reads the expectations of a step: a list, or a single one.
    mutating func expectations(_ node: Node, of action: StepAction) -> [FetchExpectation] {
        guard let step = ExpectingStep(action) else {
            reader.error("`expect` goes with fetches, requests and calls only", at: node.position)
            return []
        }
        let groups = step.groups
        var nodes = [node]
        if case .sequence(let list) = node.content { nodes = list }
        if nodes.isEmpty { reader.error("`expect` expects nothing", at: node.position) }
        // Without a group there is nothing to expect of; that was noted.
        guard !groups.isEmpty else { return [] }
        let fetching = Set(groups)
        let all = expectedNames(ofAccounts: Set(groups.map { scenario.groups[$0].account }))
        return nodes.compactMap { expectation($0, of: step, groups: fetching, names: all) }
    }

    private mutating func expectation(
        _ node: Node, of step: ExpectingStep, groups: Set<Int>, names all: ExpectedNames
    ) -> FetchExpectation? {
        guard var fields = reader.mapping(node, "an expectation") else { return nil }
        guard let target = target(&fields, groups: groups) else { return nil }
        let allowsVacuous = allowsVacuous(&fields)
        var names = all
        if case .group(let index) = target { names = expectedNames(ofAccounts: [scenario.groups[index].account]) }
        var checks: [FetchExpectation.Check] = []
        for entry in fields.entries where step.names.contains(entry.key) {
            guard let condition = ConditionLoader.load(entry, names, of: step, &reader) else { continue }
            checks.append(.init(name: entry.key, position: entry.keyPosition, condition: condition))
        }
        fields.allow(step.names)
        fields.finish(&reader)
        if fields.entries.allSatisfy({ Self.besideChecks.contains($0.key) }) {
            reader.error("the expectation says nothing to check", at: node.position)
        }
        return FetchExpectation(
            target: target, position: node.position, checks: checks, allowsVacuous: allowsVacuous,
            isOfCalls: step.isOfCalls)
    }

    // The keys of an expectation that check nothing.
    static let besideChecks = ["group", "device", "vacuous"]

    /// True if an expectation says that it may hold because nothing happened.
    mutating func allowsVacuous(_ fields: inout DocumentMapping) -> Bool {
        guard let node = fields.take("vacuous") else { return false }
        return reader.choice(node, "`vacuous`", from: ["allowed"]) != nil
    }

    private func expectedNames(ofAccounts indices: Set<Int>) -> ExpectedNames {
        ExpectedNames(
            accounts: indices.sorted().map { scenario.accounts[$0].account },
            filters: indices.reduce(into: []) { $0.formUnion(rehearsal.filterNames[$1]) })
    }

    private mutating func target(_ fields: inout DocumentMapping, groups: Set<Int>) -> FetchExpectation.Target? {
        let (groupNode, deviceNode) = (fields.take("group"), fields.take("device"))
        if let groupNode {
            if let deviceNode { reader.error("`device` cannot go with `group`", at: deviceNode.position) }
            if case .scalar("all", _) = groupNode.content { return .all }
            guard let index = group(groupNode) else { return nil }
            guard groups.contains(index) else {
                reader.error("group \(scenario.groups[index].name.quoted) does not fetch here", at: groupNode.position)
                return nil
            }
            return .group(index)
        }
        guard let deviceNode else { return .all }
        guard let text = reader.text(deviceNode, "`device`") else { return nil }
        if let index = groupIndices[ExactText(text)], scenario.groups[index].count == 1 {
            if groups.contains(index) { return .group(index) }
            reader.error("group \(text.quoted) does not fetch here", at: deviceNode.position)
            return nil
        }
        guard let id = DeviceLoader.id(deviceNode, &reader) else { return nil }
        return .device(id)
    }
}
