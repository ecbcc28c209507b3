/// Decisions to measure, and what must come of them.
protocol Benchmark {
    /// The name of the measurement.
    var name: String { get }
    /// The number of decisions that a run makes.
    var decisions: Int { get }
    /// The result that a run must have, worked out by hand.
    var expected: Answer { get }
    /// True if a run must not allocate.
    var isHotPath: Bool { get }

    /// Does what is not measured, before each run.
    mutating func prepare()

    /// Makes the decisions.
    mutating func run() -> Answer
}
