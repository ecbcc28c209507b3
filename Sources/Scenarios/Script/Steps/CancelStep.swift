internal import Documents
internal import PolicyEngine

/// An account is cancelled: the service does not answer its apps any more (R20).
struct CancelStep: StepAction {
    static let key = "account"
    /// The account by its index.
    let account: Int
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema { .words(["cancelled"]) }

    // `cancelled`, or by its name `{NAME: cancelled}`.
    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> CancelStep? {
        guard case .mapping(let entries) = node.content, entries.count == 1, let entry = entries.first else {
            guard loader.reader.choice(node, "`account`", from: ["cancelled"]) != nil else { return nil }
            return CancelStep(account: loader.account(nil, for: "`account: cancelled`", at: node.position))
        }
        let index = loader.account(entry.keyNode, for: "`account`", at: node.position)
        return loader.reader.choice(entry.value, entry.key.quoted, from: ["cancelled"]).map { _ in
            CancelStep(account: index)
        }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        run.cancelled.insert(account)
        return ["account \(run.scenario.accounts[account].account.name) cancelled"]
    }

    func event(in _: Scenario) -> StepEvent {
        .account(
            account,
            EventTrace.Event(
                kind: Self.key, subject: "account cancelled", rule: "R20", name: "service",
                line: "the service does not answer the apps of the account any more"))
    }
}
