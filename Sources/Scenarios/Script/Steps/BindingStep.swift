internal import Documents
internal import PolicyEngine

/// The data that the app binds its tokens to changes by itself from now on, each time after some seconds (R19.1a).
struct BindingStep: MappedAction {
    static let key = "binding"
    static let fields = RecordFields<BindingStep>([.required("every", \.every, .interval)])
    var groups: [Int] = []
    var every = 1
    var reach: Set<AccountPart> { [] }

    func perform(in run: inout ScenarioRun) -> [String] {
        let changing = ChangingBinding(since: run.time, every: every)
        run.devices.forEachInstall(of: groups) { install in
            install.changingBinding = changing
            install.decidedRules.insert(.changingBinding)
        }
        return ["binding \(run.names(groups)) every \(DurationText.text(every))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R19.1a", "binding", "the data that tokens are bound to changes every \(DurationText.text(every))")
    }
}
