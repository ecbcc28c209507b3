internal import Documents
internal import PolicyEngine

/// The app binds tokens to other data, which ends the cached one (R14.1).
struct BindStep: GroupAction {
    static let key = "bind"
    static let help = "Binds the tokens of a group to data."
    var groups: [Int] = []
    private var data = ""
    var reach: Set<AccountPart> { [] }

    static func form(_ scope: ScenarioScope) -> ValueForm<BindStep> {
        .mapping(
            BindStep(),
            [
                .required("group", \.groups, .group(scope), StepHelp.group),
                .required("data", \.data, .text, "The data that the app passes to the SDK."),
            ])
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        for group in groups {
            let access = run.access(of: group)
            run.devices.forEachInstall(of: [group]) { install in
                install.changingBinding = nil
                install.bind(data)
                install.report(to: access)
            }
        }
        return ["bind \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R14.1", "binding") { _ in "tokens are bound to the data of the step from now on" }
    }
}

/// The data that the app binds its tokens to changes by itself from now on, each time after some seconds (R19.1a).
struct BindingStep: MappedAction {
    static let key = "binding"
    static let help = "Lets the data that tokens are bound to change by itself."
    var groups: [Int] = []
    private var every = 1
    var reach: Set<AccountPart> { [] }

    static let fields: [Field<BindingStep>] = [.required("every", \.every, .interval, StepHelp.every)]

    func perform(in run: inout ScenarioRun) -> [String] {
        let changing = ChangingBinding(since: run.time, every: every)
        run.devices.forEachInstall(of: groups) { install in
            install.changingBinding = changing
            install.decidedRules.insert(.changingBinding)
        }
        return ["binding \(run.names(groups)) every \(DurationText.text(every))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R19.1a", "binding") { _ in "the data that tokens are bound to changes every \(DurationText.text(every))"
        }
    }
}
