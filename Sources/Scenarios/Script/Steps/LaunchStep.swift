internal import Documents
internal import PolicyEngine

/// The app starts anew: at once, or each at a time of its own within some seconds (R14.4).
struct LaunchStep: MappedAction {
    static let key = "launch"
    static let allowsGroupsAlone = true
    static let fields: [Field<LaunchStep>] = [.required("over", \.span, .interval)]
    var groups: [Int] = []
    var over: Int?
    var reach: Set<AccountPart> { [] }

    private var span: Int {
        get { over ?? 1 }
        set { over = newValue }
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

/// The app is removed and installed again (R1.3).
struct ReinstallStep: MappedAction {
    static let key = "reinstall"
    static let allowsGroupsAlone = true
    static let fields: [Field<ReinstallStep>] = [.truth("keep-id", \.keepsID)]
    var groups: [Int] = []
    var keepsID = false
    var reach: Set<AccountPart> { [] }

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
