/// Decisions to measure, and what must come of them.
protocol Benchmark {
    /// What is measured.
    var name: String { get }
    /// How many decisions a run makes.
    var decisions: Int { get }
    /// What must come of a run, worked out by hand.
    var expected: Answer { get }
    /// Whether a run must not allocate.
    var isHotPath: Bool { get }

    /// Does what is not measured, before each run.
    mutating func prepare()

    /// Makes the decisions.
    mutating func run() -> Answer
}
