internal import Documents
internal import PolicyEngine

/// The device is reset: on Android, a new device ID (R1.3).
struct FactoryResetStep: GroupAction {
    static let key = "factory-reset"
    let groups: [Int]
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema { .groups }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> FactoryResetStep? {
        loader.groups(node, "`factory-reset`").map(FactoryResetStep.init)
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        for group in groups {
            run.devices.factoryReset(group, at: run.time, primaryAnswers: run.server(of: group) == .primary)
        }
        return ["factory-reset \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        .groups(groups) { id in
            EventTrace.Event(
                kind: Self.key, rule: "R1.3", name: "device", line: "the device is reset, and has the device ID \(id)")
        }
    }
}
