internal import Documents

/// Something that happens in a scenario, once or again and again.
package struct Step: Sendable {
    /// Seconds from the scenario's start to the first time.
    let at: Int
    /// The position of the step in the file.
    var position: SourcePosition
    let action: any StepAction
    var repetition: Repetition?
    /// The expectations about the fetches that the step makes.
    package var expectations: [FetchExpectation] = []

    struct Repetition: Hashable, Sendable {
        /// Seconds from one time to the next, at least 1.
        let every: Int
        /// Seconds from the scenario's start up to which it is repeated, that second included.
        let until: Int
    }

    /// Seconds from the scenario's start to the last time that it begins.
    var lastStart: Int {
        guard let repetition else { return at }
        return at + (repetition.until - at) / repetition.every * repetition.every
    }

    /// The number of times that the step begins.
    var times: Int { repetition.map { (lastStart - at) / $0.every + 1 } ?? 1 }

    /// The seconds over which the launches of the step are spread, counted from the second in which it begins (R14.4).
    var launchSpan: Int? { (action as? LaunchStep)?.over }

    /// Seconds from the scenario's start to the last second in which anything of it can happen.
    var lastTime: Int { lastStart + (launchSpan ?? 1) - 1 }
}

extension Scenario {
    /// The actions of one kind, in the order of time.
    func actions<Action: StepAction>(_ kind: Action.Type) -> [Action] { steps.compactMap { $0.action as? Action } }
}
