internal import Documents
internal import PolicyEngine
internal import Replay

/// What must hold at the end of a scenario, of one account.
struct FinalExpectation: Sendable {
    /// The account by its place.
    let account: Int
    var metrics: [Metric] = []
    var states: [State] = []
    /// Whether it may hold because nothing happened.
    var allowsVacuous = false

    struct Metric: Sendable {
        let metric: Replay.Metric
        let position: SourcePosition
        let count: CountRange

        /// As R13 has it.
        var name: String { metric.name }
    }

    struct State: Sendable {
        let target: FetchExpectation.Target
        /// As it was named.
        let name: String
        let position: SourcePosition
        /// The persisted flags; `nil` when the state must not be set (R6.5).
        let flags: FlagSet?
    }
}
