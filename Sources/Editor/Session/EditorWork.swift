/// Work that is done beside the conversation.
package enum EditorWork: Sendable {
    case check(LintWork)
    case run(ScenarioRunWork)

    /// The outcome of such work.
    package enum Outcome: Sendable {
        case checked(LintWork.Outcome)
        case ran(ScenarioRunWork.Outcome)
    }

    /// Does the work.
    package func run() -> Outcome {
        switch self {
        case .check(let work): .checked(work.run())
        case .run(let work): .ran(work.run())
        }
    }
}
