internal import Accounts
internal import Documents
internal import PolicyEngine

/// The data that the app binds its tokens to changes by itself from now on, each time after some seconds (R19.1a).
struct BindingStep: GroupAction {
    static let key = "binding"
    let groups: [Int]
    let every: Int
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema { .groups(with: "every", .duration) }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> BindingStep? {
        loader.groupsAndInterval(node, "`binding`", "every").map { BindingStep(groups: $0.groups, every: $0.value) }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        let changing = ChangingBinding(since: run.time, every: every)
        run.devices.forEachInstall(of: groups) { $0.changingBinding = changing }
        return ["binding \(run.names(groups)) every \(DurationText.print(every))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R19.1a", "binding", "the data that tokens are bound to changes every \(DurationText.print(every))")
    }
}
