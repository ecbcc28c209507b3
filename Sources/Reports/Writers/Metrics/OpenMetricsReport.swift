internal import Figures
internal import PolicyEngine

/// Writes a report as OpenMetrics, as a Prometheus would have scraped it, for `promtool tsdb create-blocks-from openmetrics`.
///
/// Counters start with a sample of 0. Samples are grouped by family, then by series, then by time. Flags, filters and apps
/// are labels and no parts of names; devices are neither.
package struct OpenMetricsReport {
    private let report: Report
    private let step: Int
    private let counted: CountedSeries
    // When there are samples, in seconds since 1970.
    private let times: [Int]
    private var output = MetricsOutput()

    /// The greatest number of samples of a report; a larger step makes fewer.
    package static let sampleLimit = 5_000_000

    /// The seconds without any event after which there are no samples.
    private static let quietTime = Instant.secondsPerDay

    /// The usual step in seconds: graphs look back for five minutes, so a sample an hour would not show.
    package static let usualStep = 60

    /// Finds out what there is to write.
    ///
    /// - Parameters:
    ///   - report: The report, with metrics by minute.
    ///   - step: Seconds from one sample to the next, 1 or more.
    package init(_ report: Report, step: Int) {
        self.report = report
        self.step = step
        counted = CountedSeries(report.figures.series ?? MetricSeries(), account: report.account)
        times = Self.times(counted.minutes, step: step)
    }

    /// The greatest number of samples that there can be.
    package var sampleCount: Int {
        (counted.counters.values.reduce(0) { $0 + $1.count } + WindowKind.allCases.count * 2) * times.count
    }

    /// The report as bytes; equal reports give equal bytes.
    ///
    /// - Complexity: O(samples).
    package func bytes() -> [UInt8] {
        var copy = self
        copy.write()
        return copy.output.bytes
    }

    // From the minute before the first up to the end of the last, without days in which nothing happened; no more than one
    // beyond the limit.
    private static func times(_ minutes: [Int], step: Int) -> [Int] {
        guard let first = minutes.first else { return [] }
        var times = [first]
        for minute in minutes {
            let end = minute + 60
            if let last = times.last, end - last > max(quietTime, step) {
                // The samples begin again one step before something happens.
                let skipped = (minute - first) / step * step + first
                if skipped > last { times.append(skipped) }
            }
            while let last = times.last, last < end, times.count <= sampleLimit { times.append(last + step) }
        }
        return times
    }

    private mutating func write() {
        writeCounters()
        writeLifetimes()
        writeDevices()
        writeTotals()
        output.end()
    }
}

// MARK: Families

extension OpenMetricsReport {
    /// The name of a family, and what it counts.
    static func name(of family: CountedSeries.Family) -> (name: StaticString, help: StaticString) {
        switch family {
        case .attestations: ("scenario_attestations", "Attestations by verdict and app.")
        case .versions: ("scenario_app_version_attestations", "Attestations of apps by version and verdict.")
        case .flags: ("scenario_flags", "Attestations with a flag, by verdict.")
        case .rejections: ("scenario_rejections", "Attestations that failed for a reason.")
        case .filters: ("scenario_filter_matches", "Attestations that a filter matched.")
        case .policies: ("scenario_policies", "Attestations by the rejection policy applied.")
        case .sdkCalls: ("scenario_sdk_calls", "Calls of the SDK that clients reported.")
        case .sdkResults: ("scenario_sdk_results", "Token fetches that clients reported, by result.")
        case .sdkLibraries: ("scenario_sdk_library_fetches", "Token fetches that clients reported, by library ID.")
        case .sdkVersions:
            ("scenario_sdk_version_fetches", "Token fetches that clients reported, by version of the SDK.")
        case .sdkProcessors:
            ("scenario_sdk_processor_fetches", "Token fetches that clients reported, by platform and processor.")
        }
    }

    private mutating func writeCounters() {
        for family in CountedSeries.Family.allCases {
            guard let counters = counted.counters[family], !counters.isEmpty else { continue }
            let (name, help) = Self.name(of: family)
            output.family(name, .counter, help: help)
            for (series, growth) in counters { write(series, growth) }
        }
    }

    // A minute counts from its end on.
    private mutating func write(_ series: [UInt8], _ growth: [CountedSeries.Growth]) {
        var (value, next) = (0, 0)
        for time in times {
            while next < growth.count, growth[next].minute + 60 <= time {
                value += growth[next].count
                next += 1
            }
            output.sample(series, value, at: time)
        }
    }

    // Not kept by minute: all at the end. A start of 0 besides is more than the Python client takes: of a histogram it keeps
    // the samples of one time.
    private mutating func writeLifetimes() {
        guard let last = times.last, !report.figures.lifetimes.isEmpty else { return }
        output.family(
            "scenario_token_lifetime_seconds", .histogram, unit: "seconds", help: "Lifetimes of tokens.")
        var (count, sum) = (0, 0)
        for (lifetime, tokens) in report.figures.lifetimes.sorted(by: { $0.key < $1.key }) {
            count += tokens
            sum += lifetime * tokens
            write("scenario_token_lifetime_seconds_bucket", [("le", "\(lifetime).0")], count, at: last)
        }
        write("scenario_token_lifetime_seconds_bucket", [("le", "+Inf")], count, at: last)
        write("scenario_token_lifetime_seconds_count", [], count, at: last)
        write("scenario_token_lifetime_seconds_sum", [], sum, at: last)
    }

    private mutating func write(_ name: StaticString, _ labels: [MetricsOutput.Label], _ value: Int, at time: Int) {
        output.sample(MetricsOutput.series(name, labels), value, at: time)
    }

    // Every sample in a window has the result of the whole window.
    private mutating func writeDevices() {
        output.family(
            "scenario_unique_devices", .gauge, help: "Unique devices of the hour, the day or the billing month.")
        for (kind, name) in [(WindowKind.daily, "day"), (.hourly, "hour"), (.monthly, "month")] {
            let windows = report.figures.windows[kind] ?? []
            for passed in [false, true] {
                let series = MetricsOutput.series(
                    "scenario_unique_devices", [("verdict", passed ? "pass" : "fail"), ("window", name)])
                var next = 0
                for time in times {
                    while next + 1 < windows.count, windows[next + 1].start.secondsSinceEpoch <= time { next += 1 }
                    guard next < windows.count, windows[next].start.secondsSinceEpoch <= time else { continue }
                    output.sample(series, passed ? windows[next].passed : windows[next].failed, at: time)
                }
            }
        }
    }

    private mutating func writeUnevaluated(at last: Int) {
        let reasons = Array(report.figures.unevaluated.reasons)
        guard !reasons.isEmpty else { return }
        output.family("scenario_unjudged_devices", .gauge, help: "Devices that could not be evaluated, by the reason.")
        for (reason, devices) in reasons { write("scenario_unjudged_devices", [("reason", reason)], devices, at: last) }
    }

    private mutating func writeTotals() {
        guard let first = times.first, let last = times.last else { return }
        if report.figures.malformed > 0 {
            output.family("scenario_malformed_records", .counter, help: "Records that could not be read.")
            write("scenario_malformed_records_total", [], 0, at: first)
            write("scenario_malformed_records_total", [], report.figures.malformed, at: last)
        }
        writeUnevaluated(at: last)
        output.family("scenario_build", .info, help: "The program that wrote these metrics.")
        write("scenario_build_info", [("version", report.version)], 1, at: last)
    }
}
