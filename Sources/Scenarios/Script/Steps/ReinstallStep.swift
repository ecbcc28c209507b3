internal import Documents
internal import PolicyEngine

/// The app is removed and installed again (R1.3).
struct ReinstallStep: MappedAction {
    static let key = "reinstall"
    static let allowsGroupsAlone = true
    static let fields = RecordFields<ReinstallStep>([.truth("keep-id", \.keepsID)])
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
