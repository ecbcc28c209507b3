internal import CAllocations

/// Fails when a decision on the hot path allocates; says nothing about times.
enum AllocationGate {
    /// Checks the counter, then every benchmark of the hot path.
    ///
    /// - Throws: ``BenchmarkFailure``.
    static func check() throws {
        try checkCounter()
        var failed: [String] = []
        for benchmark in try BenchmarkList.all where benchmark.isHotPath {
            let allocations = try Measurement(of: benchmark, runs: 1).allocations
            print("\(allocations) allocations in \(benchmark.decisions) decisions: \(benchmark.name)")
            if allocations > 0 { failed.append(benchmark.name) }
        }
        if !failed.isEmpty { throw BenchmarkFailure.allocations(failed) }
    }

    // A counter that the linker left out would let everything pass.
    private static func checkCounter() throws {
        let made = 1000
        var kept: [[Int]] = []
        kept.reserveCapacity(made)
        let before = allocation_count()
        for number in 0..<made { kept.append([number]) }
        let counted = allocation_count() - before
        guard counted == made, kept.count == made else {
            throw BenchmarkFailure.wrongCount(counted: counted, made: made)
        }
    }
}
