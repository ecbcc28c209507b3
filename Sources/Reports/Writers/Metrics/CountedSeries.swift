internal import Figures
internal import PolicyEngine

/// The counters that a scrape would have seen, by their families and labels: how much each grows in which minute.
struct CountedSeries {
    /// The metrics that are counted by minute, in the order in which they are written.
    enum Family: Int, CaseIterable {
        case attestations, versions, flags, rejections, filters, policies
        case sdkCalls, sdkResults, sdkLibraries, sdkVersions, sdkProcessors
    }

    /// The growth of a counter in a minute.
    struct Growth {
        /// The first second of the minute, since 1970.
        let minute: Int
        let count: Int
    }

    /// By family, then by name and labels in the order of their bytes.
    private(set) var counters: [Family: [(series: [UInt8], growth: [Growth])]] = [:]
    /// The minutes in which something was counted, by their first second since 1970.
    private(set) var minutes: [Int] = []

    private let account: String
    // Labels that look alike once they are written are one series.
    private var found: [Family: [[UInt8]: [Growth]]] = [:]
    private var names: [Metric: (Family, [UInt8])] = [:]

    /// - Parameters:
    ///   - series: The live metrics by minute.
    ///   - account: The name of the account; empty where there is none, or several.
    init(_ series: MetricSeries, account: String) {
        self.account = account
        for minute in series.inOrder {
            minutes.append(minute.start.secondsSinceEpoch)
            count(minute.metrics, at: minute.start.secondsSinceEpoch)
        }
        sort()
    }

    /// The counters at their current values, whenever they grew.
    ///
    /// - Parameter totals: The live metrics.
    init(totals: [Metric: Int], account: String) {
        self.account = account
        count(totals, at: 0)
        sort()
    }

    private mutating func sort() {
        for (family, series) in found {
            counters[family] = series.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
        }
        found = [:]
    }

    private mutating func count(_ metrics: [Metric: Int], at start: Int) {
        for (metric, count) in metrics {
            guard let (family, name) = name(of: metric) else { continue }
            add(count, to: name, of: family, at: start)
        }
        // Attestations without an app are the rest.
        for passed in [true, false] {
            let withApp = metrics.reduce(0) { sum, entry in
                if case .app(_, passed) = entry.key { sum + entry.value } else { sum }
            }
            let rest = (metrics[.verdict(passed: passed)] ?? 0) - withApp
            add(rest, to: attestations(passed: passed, app: nil), of: .attestations, at: start)
        }
    }

    private mutating func add(_ count: Int, to name: [UInt8], of family: Family, at minute: Int) {
        if found[family]?[name]?.last?.minute == minute, let last = found[family]?[name]?.popLast() {
            found[family]?[name]?.append(Growth(minute: minute, count: last.count + count))
        } else if count > 0 {
            found[family, default: [:]][name, default: []].append(Growth(minute: minute, count: count))
        }
    }

    // `nil` for what is counted otherwise.
    private mutating func name(of metric: Metric) -> (Family, [UInt8])? {
        if let known = names[metric] { return known }
        let name = makeName(of: metric)
        names[metric] = name
        return name
    }

    private func makeName(of metric: Metric) -> (Family, [UInt8])? {
        switch metric {
        case .app(let app, let passed): (.attestations, attestations(passed: passed, app: app.text))
        case .version(let version, let passed):
            (
                .versions,
                MetricsOutput.series(
                    "scenario_app_version_attestations_total",
                    [("app_version", version.text), ("verdict", Self.verdict(passed))])
            )
        case .flag(let flag, let passed):
            (
                .flags,
                MetricsOutput.series(
                    "scenario_flags_total", [("flag", flag.text), ("verdict", Self.verdict(passed))])
            )
        case .rejection(let rejection):
            (.rejections, MetricsOutput.series("scenario_rejections_total", [("reason", rejection.name)]))
        case .filter(let filter):
            (.filters, MetricsOutput.series("scenario_filter_matches_total", [("filter", filter.text)]))
        case .policy(let policy):
            (.policies, MetricsOutput.series("scenario_policies_total", [("policy", policy.text)]))
        case .client(let metric): makeName(of: metric)
        case .verdict, .badRequest, .billing, .devices: nil
        }
    }

    // The name of a metric that clients report of themselves (R13.3).
    private func makeName(of metric: Metric.Client) -> (Family, [UInt8])? {
        switch metric {
        case .total(let total):
            if let call = total.call {
                return (.sdkCalls, MetricsOutput.series("scenario_sdk_calls_total", [("call", call)]))
            }
            return total.result.map {
                (.sdkResults, MetricsOutput.series("scenario_sdk_results_total", [("result", $0)]))
            }
        case .library(let library):
            let labels: [MetricsOutput.Label] = [("library", library.text)]
            return (.sdkLibraries, MetricsOutput.series("scenario_sdk_library_fetches_total", labels))
        case .version(let version):
            let labels: [MetricsOutput.Label] = [("sdk_version", version.text)]
            return (.sdkVersions, MetricsOutput.series("scenario_sdk_version_fetches_total", labels))
        case .processor(let processor, let system):
            let labels: [MetricsOutput.Label] = [
                ("platform", Metric.Client.platform(of: system)), ("processor", processor.text),
            ]
            return (.sdkProcessors, MetricsOutput.series("scenario_sdk_processor_fetches_total", labels))
        }
    }

    private func attestations(passed: Bool, app: String?) -> [UInt8] {
        var labels: [MetricsOutput.Label] = [("app", app ?? ""), ("verdict", Self.verdict(passed))]
        if !account.isEmpty { labels.insert(("account", account), at: 0) }
        return MetricsOutput.series("scenario_attestations_total", labels)
    }

    private static func verdict(_ passed: Bool) -> String { passed ? "pass" : "fail" }
}
