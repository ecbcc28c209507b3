internal import Documents
internal import PolicyEngine

/// The app starts anew: at once, or each at a time of its own within some seconds (R14.4).
struct LaunchStep: MappedAction {
    static let key = "launch"
    static let allowsGroupsAlone = true
    static let fields = RecordFields<LaunchStep>([.required("over", \.span, .interval)])
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
