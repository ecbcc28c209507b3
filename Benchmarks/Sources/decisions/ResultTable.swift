/// The costs of all benchmarks, as a table in Markdown.
enum ResultTable {
    /// Runs of each benchmark; the table shows the one in the middle.
    private static let runs = 7

    /// Measures everything.
    ///
    /// - Throws: ``BenchmarkFailure``.
    static func measured() throws -> String {
        var lines = [
            "| one decision | ns, median | ns, fastest | ns, slowest | allocations a decision |",
            "| --- | ---: | ---: | ---: | ---: |",
        ]
        for benchmark in try BenchmarkList.all {
            lines.append(line(of: benchmark, try Measurement(of: benchmark, runs: runs)))
        }
        return lines.joined(separator: "\n")
    }

    private static func line(of benchmark: any Benchmark, _ measurement: Measurement) -> String {
        let allocations = Double(measurement.allocations) / Double(benchmark.decisions)
        let cells = [
            benchmark.name,
            tenths(measurement.median),
            tenths(measurement.nanoseconds.first ?? 0),
            tenths(measurement.nanoseconds.last ?? 0),
            measurement.allocations == 0 ? "0" : hundredths(allocations),
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

    private static func hundredths(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
}
