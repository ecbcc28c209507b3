internal import CAllocations

/// The cost of a benchmark's runs.
struct Measurement {
    /// Nanoseconds a decision, a run each, fastest first.
    private(set) var nanoseconds: [Double] = []
    /// Allocations of the latest run.
    private(set) var allocations = 0

    /// The time of the run in the middle.
    var median: Double { nanoseconds[nanoseconds.count / 2] }

    /// Runs a benchmark once to warm up, then that number of times, and checks the result of each run.
    ///
    /// - Throws: ``BenchmarkFailure/wrongAnswer(of:got:expected:)``.
    init(of benchmark: some Benchmark, runs: Int) throws {
        var benchmark = benchmark
        for run in 0...runs {
            let nanoseconds = try measure(&benchmark)
            if run > 0 { self.nanoseconds.append(nanoseconds) }
        }
        nanoseconds.sort()
    }

    private mutating func measure(_ benchmark: inout some Benchmark) throws -> Double {
        benchmark.prepare()
        let allocationsBefore = allocation_count()
        let start = ContinuousClock.now
        let answer = benchmark.run()
        let duration = ContinuousClock.now - start
        allocations = allocation_count() - allocationsBefore
        guard answer == benchmark.expected else {
            throw BenchmarkFailure.wrongAnswer(of: benchmark.name, got: answer, expected: benchmark.expected)
        }
        return duration / .nanoseconds(1) / Double(benchmark.decisions)
    }
}
