@testable import Replay
@testable import TestSupport

/// What checking came to.
struct CheckingResult: ReplayResult {
    var figures = Figures()
    /// Where the steps that were heard do not make the decision.
    var problems: [String]
    /// How many records were judged.
    var count: Int

    mutating func merge(_ other: CheckingResult) {
        problems += other.problems
        count += other.count
    }
}
