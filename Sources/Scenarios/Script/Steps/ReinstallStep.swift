internal import Accounts
internal import Documents
internal import PolicyEngine

/// The app is removed and installed again (R1.3).
struct ReinstallStep: GroupAction {
    static let key = "reinstall"
    let groups: [Int]
    let keepsID: Bool
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema {
        .any(of: [.groups, .object([("group", .groups), ("keep-id", .boolean)], required: ["group"])])
    }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> ReinstallStep? {
        guard case .mapping = node.content else {
            return loader.groups(node, "`reinstall`").map { ReinstallStep(groups: $0, keepsID: false) }
        }
        let read = loader.groups(in: node, "`reinstall`") { fields, loader in
            fields.take("keep-id").flatMap { loader.reader.boolean($0, "`keep-id`") } ?? false
        }
        return read.map { ReinstallStep(groups: $0.groups, keepsID: $0.value) }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        for group in groups {
            let answers = run.server(of: group) == .primary
            run.devices.reinstall(group, keepsID: keepsID, at: run.time, primaryAnswers: answers)
        }
        return ["reinstall \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        .groups(groups) { id in
            EventTrace.Event(
                kind: Self.key, rule: "R1.3", name: "app",
                line: "the app is installed again, and has the device ID \(id)")
        }
    }
}
