internal import Accounts
internal import Documents
internal import PolicyEngine

/// The parts of a scenario that its steps and expectations can name: accounts and groups, each by its index.
struct ScenarioScope: Sendable {
    /// True if a probable typing error gives a warning.
    var isChecked = false
    var start = Scenario(file: "").start
    var accounts: [Scenario.NamedAccount] = []
    private(set) var groups: [DeviceGroup] = []
    private var indices: [ExactText: Int] = [:]
    /// The client settings of groups, as the steps read so far leave them.
    var clients: [ClientSettings] = []
    /// The step that is read: its position, its seconds from the start, and the keys that go with some action.
    var position = SourcePosition(line: 1, column: 1)
    var at = 0
    var companions: [String: Node] = [:]

    /// The scope of the schema, which holds for all scenarios.
    static let any = ScenarioScope()

    /// Adds a group behind others.
    mutating func add(_ group: DeviceGroup) {
        indices[ExactText(group.name)] = groups.count
        groups.append(group)
    }

    /// Lets the groups be these, of the same names in the same order.
    mutating func replaceGroups(by others: [DeviceGroup]) { (groups, clients) = (others, others.map(\.client)) }

    func index(ofGroup name: String) -> Int? { indices[ExactText(name)] }

    /// The account of a group; of the first one where that is not known.
    func account(of group: DeviceGroup?) -> Account {
        accounts.isEmpty ? Account() : accounts[group?.account ?? 0].account
    }

    /// A group; `nil` after noting an error.
    func group(_ node: Node, _ reader: inout DocumentReader) -> Int? {
        guard let text = reader.text(node, "a group") else { return nil }
        if let index = index(ofGroup: text) { return index }
        let names = groups.map(\.name)
        let known = names.isEmpty ? "there are no groups" : "there are \(names.map(\.quoted).joined(separator: ", "))"
        reader.error(
            "unknown group \(text.quoted)", at: node.position, hint: Suggestion.hint(for: text, among: names) ?? known)
        return nil
    }

    /// The account that a group, a step or an expectation belongs to.
    func account(
        _ node: Node?, for what: String, at position: SourcePosition, _ reader: inout DocumentReader
    ) -> Int {
        let names = accounts.map(\.name)
        guard let node else {
            if names.count > 1 {
                reader.error("\(what) needs `account`, because the scenario has several", at: position)
            }
            return 0
        }
        if names == [""] {
            reader.error("`account` names one of `accounts`, and the scenario has none", at: node.position)
            return 0
        }
        let name = reader.choice(node, "`account`", from: names)
        return name.flatMap { name in names.firstIndex { ExactText($0) == ExactText(name) } } ?? 0
    }
}

extension ValueForm<[Int]> {
    /// A group alone.
    static func group(_ scope: ScenarioScope) -> ValueForm {
        ValueForm(.group) { node, _, reader in scope.group(node, &reader).map { [$0] } }
    }

    /// A group, a list of groups, or `all`.
    static func groups(_ scope: ScenarioScope) -> ValueForm {
        let schema = JSONSchema.any(of: [.group, .list(of: .group, atLeast: 1).unique])
        return ValueForm(schema) { node, what, reader in
            if case .sequence(let nodes) = node.content {
                let indices = nodes.compactMap { scope.group($0, &reader) }
                if nodes.isEmpty { reader.error("\(what) names no group", at: node.position) }
                if Set(indices).count < indices.count { reader.error("\(what) names a group twice", at: node.position) }
                return indices.count == nodes.count && !nodes.isEmpty ? indices : nil
            }
            guard let text = reader.text(node, what) else { return nil }
            guard text == "all" else { return scope.group(node, &reader).map { [$0] } }
            if scope.groups.isEmpty { reader.error("there are no devices", at: node.position) }
            return Array(scope.groups.indices)
        }
    }
}

extension JSONSchema {
    /// The name of a group.
    static let group = JSONSchema.text.naming(.group)
}
