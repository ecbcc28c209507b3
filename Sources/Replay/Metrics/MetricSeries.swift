package import PolicyEngine

/// The live metrics by minute, those minutes only in which something was evaluated or reported by clients (R13.2a).
///
/// Metrics are kept once and minutes refer to them, since a capture has many minutes and few metrics.
package struct MetricSeries: Sendable {
    private var numbers: [Metric: Number] = [:]
    private var metrics: [Metric] = []
    // By minute since 1970. A metric may be there several times, as streams were merged.
    private var minutes: [Int: [(metric: Number, count: Int)]] = [:]

    /// A metric by its number in this series.
    fileprivate struct Number {
        let offset: Int32
    }

    /// One minute and what was counted in it.
    package struct Minute: Sendable {
        /// When it starts.
        package let start: Instant
        /// `pass` and `fail` always, other metrics when above 0.
        package let metrics: [Metric: Int]
    }

    package init() {}

    /// The number of a metric, given one when it is asked for the first time.
    fileprivate mutating func number(of metric: Metric) -> Number {
        if let known = numbers[metric] { return known }
        let number = Number(offset: Int32(metrics.count))
        numbers[metric] = number
        metrics.append(metric)
        return number
    }

    /// Adds to a metric in a minute, counted from 1970.
    fileprivate mutating func add(_ count: Int, of metric: Number, inMinute minute: Int) {
        minutes[minute, default: []].append((metric, count))
    }

    /// Adds what was counted in the minute that starts at an instant.
    mutating func add(_ metrics: [Metric: Int], inMinuteOf start: Instant) {
        for (metric, count) in metrics { add(count, of: number(of: metric), inMinute: start.minuteNumber) }
    }

    /// Adds another stream.
    package mutating func merge(_ other: MetricSeries) {
        let own = other.metrics.map { number(of: $0) }
        for (minute, counts) in other.minutes {
            minutes[minute, default: []] += counts.map { (own[Int($0.metric.offset)], $0.count) }
        }
    }

    /// The minutes in the order of time.
    ///
    /// - Complexity: O(*n* log *n*) in the number of counts.
    package var inOrder: some Sequence<Minute> {
        minutes.keys.sorted().lazy.map { minute in
            var counts: [Metric: Int] = [.pass: 0, .fail: 0]
            for (metric, count) in minutes[minute] ?? [] { counts[metrics[Int(metric.offset)], default: 0] += count }
            return Minute(start: Instant(secondsSinceEpoch: minute * 60), metrics: counts)
        }
    }
}

/// Counts the live metrics of one stream minute by minute (R13.2a).
struct SeriesCollector {
    // The minutes that are over, each with its metrics in no order.
    private var closed: [(minute: Int, counts: [(metric: NumberedMetric, count: Int32)])] = []
    private var minute = Int.min
    private var open: [NumberedMetric: Int32] = [:]

    /// Counts a decision; decisions come in time order.
    ///
    /// - Complexity: O(flags + filters of the decision).
    mutating func count(_ decision: Decision, app: AppNumbers) {
        let minute = decision.time.minuteNumber
        if minute != self.minute {
            close()
            self.minute = minute
        }
        let passed = decision.passed
        add(NumberedMetric(.verdict, passed: passed))
        for flag in decision.flags { add(NumberedMetric(.flag, Int(flag.index), passed: passed)) }
        for flag in decision.rejectingFlags { add(NumberedMetric(.rejectingFlag, Int(flag.index))) }
        if decision.isBlacklisted { add(NumberedMetric(.blacklist)) }
        add(NumberedMetric(.policy, decision.policy.offset, revision: decision.revision))
        for index in decision.filters { add(NumberedMetric(.filter, index, revision: decision.revision)) }
        for index in decision.rejectingFilters {
            add(NumberedMetric(.rejectingFilter, index, revision: decision.revision))
        }
        if let number = app.app { add(NumberedMetric(.app, number, passed: passed)) }
        if let number = app.version { add(NumberedMetric(.version, number, passed: passed)) }
    }

    private mutating func add(_ metric: NumberedMetric) { open[metric, default: 0] += 1 }

    private mutating func close() {
        guard !open.isEmpty else { return }
        closed.append((minute, open.map { ($0.key, $0.value) }))
        open.removeAll(keepingCapacity: true)
    }

    /// The series so far, with names for numbers.
    ///
    /// - Parameters:
    ///   - engine: The engine that made the decisions.
    ///   - catalogue: The flags that they name.
    ///   - apps: The names of the apps.
    func series(engine: Engine, catalogue: FlagCatalogue, apps: AppLabels) -> MetricSeries {
        var series = MetricSeries()
        var numbers: [NumberedMetric: MetricSeries.Number] = [:]
        var all = self
        all.close()
        for (minute, counts) in all.closed {
            for (metric, count) in counts {
                let known = numbers[metric]
                let number =
                    known ?? series.number(of: metric.metric(engine: engine, catalogue: catalogue, apps: apps))
                if known == nil { numbers[metric] = number }
                series.add(Int(count), of: number, inMinute: minute)
            }
        }
        return series
    }
}

/// A live metric (R13.1) in one number, as it is counted.
private struct NumberedMetric: Hashable {
    private let bits: UInt64

    enum Kind: UInt64 {
        case verdict, flag, rejectingFlag, blacklist, policy, filter, rejectingFilter, app, version
    }

    /// - Parameters:
    ///   - kind: The kind of the count.
    ///   - number: Which of them.
    ///   - passed: The verdict that it went with, where the name has it.
    ///   - revision: The revision of the account in which the number has its meaning.
    init(_ kind: Kind, _ number: Int = 0, passed: Bool = false, revision: Int = 0) {
        bits = UInt64(revision) << 37 | UInt64(number) << 5 | (passed ? 16 : 0) | kind.rawValue
    }

    /// The metric, with names for numbers.
    func metric(engine: Engine, catalogue: FlagCatalogue, apps: AppLabels) -> Metric {
        guard let kind = Kind(rawValue: bits & 15) else { preconditionFailure("every metric has a kind") }
        let (number, revision, passed) = (Int(bits >> 5 & 0xFFFF_FFFF), Int(bits >> 37), bits & 16 != 0)
        func flag() -> ExactText { ExactText(catalogue.flags[number].name) }
        func filter() -> ExactText { ExactText(engine.history.revisions[revision].account.filters[number].name) }
        switch kind {
        case .verdict: return .verdict(passed: passed)
        case .flag: return .flag(flag(), passed: passed)
        case .rejectingFlag: return .rejection(.flag(flag()))
        case .blacklist: return .rejection(.blacklist)
        case .policy: return .policy(ExactText(engine.policies(ofRevision: revision)[number].rejection.name))
        case .filter: return .filter(filter())
        case .rejectingFilter: return .rejection(.filter(filter()))
        case .app: return .app(ExactText(apps.apps[number]), passed: passed)
        case .version: return .version(ExactText(apps.versions[number]), passed: passed)
        }
    }
}
