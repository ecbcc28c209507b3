@testable import Figures
@testable import Replay
@testable import TestSupport

/// A drawn account and drawn batches, decided by a lane and by the reference evaluator (R1 to R11).
enum LaneAgainstReference {
    private static let batches = 12
    // So few that sets get other numbers again and again, as those of a capture with endless sets do.
    private static let setLimit = 4

    /// Draws by some bytes, and compares each decision, and what is counted of batches with what is counted of decisions.
    static func feed(_ bytes: [UInt8]) {
        // Some drawn accounts cannot be made, such as those with two entries for a device.
        guard var run = try? LaneRun(tape: bytes, setLimit: setLimit) else { return }
        for _ in 0..<batches {
            // A stream may have more flags than there are numbers for.
            guard let difference = try? run.step() else { continue }
            fatalError(difference)
        }
        let (batched, single) = run.figures()
        DifferentialTarget.compare(batched.line, single.line, ("batches", "single decisions"))
    }
}
