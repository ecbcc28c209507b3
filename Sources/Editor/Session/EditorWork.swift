/// Pieces of work that are done one after another, beside those of the other lane.
package enum WorkLane: CaseIterable, Sendable {
    /// Work for which a client waits.
    case quick
    /// Work that may take minutes.
    case slow
}

/// Work that is done beside the conversation.
package enum EditorWork: Sendable {
    case check(LintWork)
    case run(ScenarioRunWork)
    case count(MatchCountWork)

    /// The outcome of such work.
    package enum Outcome: Sendable {
        case checked(LintWork.Outcome)
        case ran(ScenarioRunWork.Outcome)
        case counted(MatchCountWork.Outcome)
    }

    /// Does the work.
    package func run() -> Outcome {
        switch self {
        case .check(let work): .checked(work.run())
        case .run(let work): .ran(work.run())
        case .count(let work): .counted(work.run())
        }
    }
}
