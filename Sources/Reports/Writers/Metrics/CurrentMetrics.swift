package import Figures

/// Writes figures as OpenMetrics that a Prometheus scrapes now: one sample of each series, and no times.
package struct CurrentMetrics {
    private let figures: Figures
    private let account: String
    private let version: String
    private var output = MetricsOutput()

    /// The media type of what is written.
    package static let mediaType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// - Parameters:
    ///   - figures: The counts so far.
    ///   - account: The name of the account; may be empty.
    ///   - version: The version of the tool.
    package init(_ figures: Figures, account: String, version: String) {
        (self.figures, self.account, self.version) = (figures, account, version)
    }

    /// The metrics as bytes; equal figures give equal bytes.
    ///
    /// - Complexity: O(metrics).
    package func bytes() -> [UInt8] {
        var copy = self
        copy.write()
        return copy.output.bytes
    }

    private mutating func write() {
        let counted = CountedSeries(totals: figures.metrics, account: account)
        for family in CountedSeries.Family.allCases {
            guard let counters = counted.counters[family], !counters.isEmpty else { continue }
            let (name, help) = OpenMetricsReport.name(of: family)
            output.family(name, .counter, help: help)
            for (series, growth) in counters { output.sample(series, growth.reduce(0) { $0 + $1.count }) }
        }
        output.family("scenario_devices", .gauge, help: "Devices that attested, by what is remembered of them.")
        write("scenario_devices", [("state", "all")], figures.devices.unique)
        write("scenario_devices", [("state", "banned")], figures.devices.banned)
        output.family("scenario_build", .info, help: "The program that wrote these metrics.")
        write("scenario_build_info", [("version", version)], 1)
        output.end()
    }

    private mutating func write(_ name: StaticString, _ labels: [MetricsOutput.Label], _ value: Int) {
        output.sample(MetricsOutput.series(name, labels), value)
    }
}
