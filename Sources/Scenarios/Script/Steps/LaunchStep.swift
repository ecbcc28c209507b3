internal import Accounts
internal import Documents
internal import PolicyEngine

/// The app starts anew: at once, or each at a time of its own within some seconds (R14.4).
struct LaunchStep: GroupAction {
    static let key = "launch"
    let groups: [Int]
    let over: Int?
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema { .any(of: [.groups, .groups(with: "over", .duration)]) }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> LaunchStep? {
        guard case .mapping = node.content else {
            return loader.groups(node, "`launch`").map { LaunchStep(groups: $0, over: nil) }
        }
        return loader.groupsAndInterval(node, "`launch`", "over").map { LaunchStep(groups: $0.groups, over: $0.value) }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        run.devices.launch(groups, run.launching, at: run.time)
        return ["launch \(run.names(groups))\(run.launching.map { ": \($0.count)" } ?? "")"]
    }

    func event(in _: Scenario) -> StepEvent {
        event(
            "R14.1", "app",
            "the app starts again: the token in memory is gone, and the app loads the configuration that it stored")
    }
}
