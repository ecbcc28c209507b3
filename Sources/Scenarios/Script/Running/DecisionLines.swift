internal import PolicyEngine
internal import Replay

/// The decisions of a run as lines, for a file of decisions.
struct DecisionLines {
    // One for each account, since flags and response codes differ.
    private var writers: [DecisionWriter]
    private var count: Int
    // The lines that were not written yet.
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - accounts: The number of the scenario's accounts.
    ///   - firstIndex: The number of the first decision.
    ///   - redactor: The redactor that hides devices; `nil` shows them.
    init(accounts: Int, firstIndex: Int, redactor: Redactor? = nil) {
        writers = (0..<accounts).map { _ in DecisionWriter(redactor: redactor) }
        count = firstIndex
    }

    /// Adds the line of a decision of an account, whose service made it.
    mutating func append(_ decision: Decision, ofAccount account: Int, by service: SimulatedService) {
        bytes += writers[account].render(
            decision, index: count, engine: service.engine, symbols: service.symbols)
        count += 1
    }

    /// Writes the lines that were not written yet.
    mutating func write(to file: inout LineFile) throws(ReplayFailure) {
        try file.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
