internal import Accounts
internal import Documents
internal import PolicyEngine

/// An expectation about the fetches of a step.
package struct FetchExpectation: Sendable {
    /// Which of the fetches it is about.
    let target: Target
    let position: SourcePosition
    let checks: [Check]
    /// True if it may hold because nothing happened.
    var allowsVacuous = false

    enum Target: Hashable, Sendable {
        /// Every fetch of the step.
        case all
        /// The fetches of a group, by its index.
        case group(Int)
        /// The fetches of one device.
        case device(DeviceID)
    }

    /// One key of the expectation and its value.
    struct Check: Sendable {
        /// The key, for messages.
        let name: String
        let position: SourcePosition
        let condition: any FetchCheck
    }

    /// The keys that check nothing.
    static let besideChecks: [(name: String, schema: JSONSchema)] = [
        ("group", .group), ("device", .text.naming(.groupOrDevice)), ("vacuous", .words(["allowed"])),
    ]

    /// The form of an expectation.
    static var schema: JSONSchema {
        .object(FetchChecks.forms.map { (name: $0.key, schema: $0.schema) } + besideChecks)
    }
}

extension ScenarioLoader {
    /// Reads the expectations of a step: a list, or a single one.
    mutating func expectations(_ node: Node, of action: any StepAction) -> [FetchExpectation] {
        guard let step = action as? any ExpectingAction else {
            reader.error("`expect` can be used with fetches, requests and calls only", at: node.position)
            return []
        }
        let nodes = expectationNodes(node)
        // Without a group there is nothing to expect of; that was noted.
        guard !step.groups.isEmpty else { return [] }
        let all = expectedNames(ofAccounts: Set(step.groups.map { scenario.groups[$0].account }))
        return nodes.compactMap { expectation($0, of: step, names: all) }
    }

    private mutating func expectation(
        _ node: Node, of step: any ExpectingAction, names all: ExpectedNames
    ) -> FetchExpectation? {
        guard var fields = reader.mapping(node, "an expectation") else { return nil }
        guard let target = target(&fields, groups: step.groups) else { return nil }
        let allowsVacuous = allowsVacuous(&fields)
        var names = all
        if case .group(let index) = target { names = expectedNames(ofAccounts: [scenario.groups[index].account]) }
        var loader = CheckLoader(names: names, step: step, reader: reader)
        var checks: [FetchExpectation.Check] = []
        let keys = step.checks
        for entry in fields.entries where keys.contains(entry.key) {
            guard let check = FetchChecks.kind(entry.key)?.load(entry, &loader) else { continue }
            checks.append(.init(name: entry.key, position: entry.keyPosition, condition: check))
        }
        reader = loader.reader
        fields.allow(keys)
        fields.finish(&reader)
        if fields.entries.allSatisfy({ entry in FetchExpectation.besideChecks.contains { $0.name == entry.key } }) {
            reader.error("the expectation has nothing to check", at: node.position)
        }
        return FetchExpectation(target: target, position: node.position, checks: checks, allowsVacuous: allowsVacuous)
    }

    /// The expectations that a node holds: a list, or a single one.
    mutating func expectationNodes(_ node: Node) -> [Node] {
        guard case .sequence(let nodes) = node.content else { return [node] }
        if nodes.isEmpty { reader.error("`expect` expects nothing", at: node.position) }
        return nodes
    }

    /// True if an expectation says that it may hold because nothing happened.
    mutating func allowsVacuous(_ fields: inout DocumentMapping) -> Bool {
        guard let node = fields.take("vacuous") else { return false }
        return reader.choice(node, "`vacuous`", from: ["allowed"]) != nil
    }

    // Steps are read, so that no filter comes any more; few sets of accounts are asked for again and again.
    private mutating func expectedNames(ofAccounts indices: Set<Int>) -> ExpectedNames {
        if let known = expectedNames[indices] { return known }
        let names = ExpectedNames(
            accounts: indices.sorted().map { scenario.accounts[$0].account },
            filters: indices.reduce(into: []) { $0.formUnion(rehearsal.filterNames[$1]) })
        expectedNames[indices] = names
        return names
    }

    private mutating func target(_ fields: inout DocumentMapping, groups: [Int]) -> FetchExpectation.Target? {
        let (groupNode, deviceNode) = (fields.take("group"), fields.take("device"))
        if let groupNode {
            if let deviceNode { reader.error("`device` cannot be combined with `group`", at: deviceNode.position) }
            if case .scalar("all", _) = groupNode.content { return .all }
            return group(groupNode).flatMap { target($0, among: groups, at: groupNode.position) }
        }
        guard let deviceNode else { return .all }
        guard let text = reader.text(deviceNode, "`device`") else { return nil }
        if let index = groupIndices[ExactText(text)], scenario.groups[index].count == 1 {
            return target(index, among: groups, at: deviceNode.position)
        }
        return DeviceLoader.id(deviceNode, &reader).map { .device($0) }
    }

    private mutating func target(
        _ index: Int, among groups: [Int], at position: SourcePosition
    ) -> FetchExpectation.Target? {
        if groups.contains(index) { return .group(index) }
        reader.error("group \(scenario.groups[index].name.quoted) does not fetch here", at: position)
        return nil
    }
}

/// The names that expectations may use: those known to any of the accounts whose devices fetch.
struct ExpectedNames {
    let accounts: [Account]
    /// Every filter that one of them has at some time.
    let filters: Set<String>

    /// Notes an error for a name that nothing can have: an expectation of 0 of it would hold for ever.
    func check(
        _ name: String, at position: SourcePosition, _ aspect: NameAspect, _ reader: inout DocumentReader
    ) {
        switch aspect {
        case .flags, .annotations: checkFlag(name, at: position, &reader)
        case .filters: checkFilter(name, at: position, &reader)
        case .rejections:
            switch Rejection(name) {
            case .flag: checkFlag(name, at: position, &reader)
            case .filter(let filter): checkFilter(filter.text, at: position, &reader)
            case .blacklist: break
            }
        }
    }

    /// Notes an error for a flag that none of the accounts knows.
    func checkFlag(_ name: String, at position: SourcePosition, _ reader: inout DocumentReader) {
        _ = FlagLoader.flag(name, at: position, among: accounts.map(\.catalogue), &reader)
    }

    private func checkFilter(_ name: String, at position: SourcePosition, _ reader: inout DocumentReader) {
        guard !filters.contains(name) else { return }
        reader.error(
            "unknown filter \(name.quoted)", at: position, hint: Suggestion.hint(for: name, among: filters.sorted()))
    }

    /// Notes an error for a policy that can be applied under none of the accounts.
    ///
    /// - Returns: True if there was none.
    func checkPolicy(_ text: String, at position: SourcePosition, _ reader: inout DocumentReader) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        // `custom` cannot be set, but it can be applied (R4.4).
        let isCustom = parts.count == 3 && parts[1] == RejectionPolicy.customName
        let known = isCustom ? "\(parts[0]),default,\(parts[2])" : text
        let problems = accounts.map { Self.problem(ofPolicy: known, in: $0) }
        guard problems.allSatisfy({ $0 != nil }), let problem = problems.first ?? nil else { return true }
        reader.error(problem, at: position)
        return false
    }

    private static func problem(ofPolicy text: String, in account: Account) -> PolicyError? {
        do throws(PolicyError) {
            // The filtered policy may have rules that the account lacks (R3.2).
            _ = try account.filteredSecurityPolicy(text)
            return nil
        } catch {
            return error
        }
    }
}
