package import PolicyEngine

/// The live metrics by minute, those minutes only in which something was evaluated (R13.2a).
///
/// Names are kept once and minutes refer to them, since a capture has many minutes and few metrics.
package struct MetricSeries: Sendable {
    private var numbers: [ExactText: Name] = [:]
    private var texts: [String] = []
    // By minute since 1970. A name may stand there several times, as streams were merged.
    private var minutes: [Int: [(name: Name, count: Int)]] = [:]

    /// A metric's name by its number in this series.
    struct Name {
        fileprivate let number: Int32
    }

    /// One minute and what was counted in it.
    package struct Minute: Sendable {
        /// When it starts.
        package let start: Instant
        /// `pass` and `fail` always, other metrics when above 0.
        package let metrics: NamedCounts
    }

    package init() {}

    /// The number of a name, given one when it is asked for the first time.
    mutating func name(_ text: String) -> Name {
        if let known = numbers[ExactText(text)] { return known }
        let name = Name(number: Int32(texts.count))
        numbers[ExactText(text)] = name
        texts.append(text)
        return name
    }

    /// Adds to a metric in a minute, counted from 1970.
    mutating func add(_ count: Int, of name: Name, inMinute minute: Int) {
        minutes[minute, default: []].append((name, count))
    }

    /// Adds another stream.
    package mutating func merge(_ other: MetricSeries) {
        let names = other.texts.map { name($0) }
        for (minute, counts) in other.minutes {
            minutes[minute, default: []] += counts.map { (names[Int($0.name.number)], $0.count) }
        }
    }

    /// The minutes in the order of time.
    ///
    /// - Complexity: O(*n* log *n*) in the number of counts.
    package var inOrder: some Sequence<Minute> {
        minutes.keys.sorted().lazy.map { minute in
            var metrics: NamedCounts = ["pass": 0, "fail": 0]
            for (name, count) in minutes[minute] ?? [] { metrics[texts[Int(name.number)], default: 0] += count }
            return Minute(start: Instant(secondsSinceEpoch: minute * 60), metrics: metrics)
        }
    }
}

/// Counts the live metrics of one stream minute by minute (R13.2a).
struct SeriesCollector {
    // The minutes that are over, each with its metrics in no order.
    private var closed: [(minute: Int, counts: [(metric: LiveMetric, count: Int32)])] = []
    private var minute = Int.min
    private var open: [LiveMetric: Int32] = [:]

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
        add(LiveMetric(.verdict, passed: passed))
        for flag in decision.flags { add(LiveMetric(.flag, Int(flag.index), passed: passed)) }
        for flag in decision.rejectingFlags { add(LiveMetric(.rejectingFlag, Int(flag.index))) }
        if decision.isBlacklisted { add(LiveMetric(.blacklist)) }
        add(LiveMetric(.policy, decision.policy.offset, revision: decision.revision))
        for index in decision.filters { add(LiveMetric(.filter, index, revision: decision.revision)) }
        for index in decision.rejectingFilters {
            add(LiveMetric(.rejectingFilter, index, revision: decision.revision))
        }
        if let number = app.app { add(LiveMetric(.app, number, passed: passed)) }
        if let number = app.version { add(LiveMetric(.version, number, passed: passed)) }
    }

    private mutating func add(_ metric: LiveMetric) { open[metric, default: 0] += 1 }

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
        var names: [LiveMetric: MetricSeries.Name] = [:]
        var all = self
        all.close()
        for (minute, counts) in all.closed {
            for (metric, count) in counts {
                let known = names[metric]
                let name = known ?? series.name(metric.name(engine: engine, catalogue: catalogue, apps: apps))
                if known == nil { names[metric] = name }
                series.add(Int(count), of: name, inMinute: minute)
            }
        }
        return series
    }
}

/// A live metric (R13.1) in one number; its name is made where it is written.
private struct LiveMetric: Hashable {
    private let bits: UInt64

    enum Kind: UInt64 {
        case verdict, flag, rejectingFlag, blacklist, policy, filter, rejectingFilter, app, version
    }

    /// - Parameters:
    ///   - kind: What is counted.
    ///   - number: Which of them.
    ///   - passed: The verdict that it went with, where the name has it.
    ///   - revision: The revision of the account in which the number has its meaning.
    init(_ kind: Kind, _ number: Int = 0, passed: Bool = false, revision: Int = 0) {
        bits = UInt64(revision) << 37 | UInt64(number) << 5 | (passed ? 16 : 0) | kind.rawValue
    }

    /// The name, as R13.1 has it.
    func name(engine: Engine, catalogue: FlagCatalogue, apps: AppLabels) -> String {
        guard let kind = Kind(rawValue: bits & 15) else { preconditionFailure("every metric has a kind") }
        let (number, revision) = (Int(bits >> 5 & 0xFFFF_FFFF), Int(bits >> 37))
        let verdict = bits & 16 == 0 ? "fail" : "pass"
        switch kind {
        case .verdict: return verdict
        case .flag: return "\(verdict)-flag-\(catalogue.flags[number].name)"
        case .rejectingFlag: return "rejection-flag-\(catalogue.flags[number].name)"
        case .blacklist: return "rejection-policy-blacklist"
        case .policy: return "policy-\(engine.policies(ofRevision: revision)[number].rejection.name)"
        case .filter: return "filter-\(engine.history.revisions[revision].account.filters[number].name)"
        case .rejectingFilter:
            return "rejection-filter-\(engine.history.revisions[revision].account.filters[number].name)"
        case .app: return "\(verdict)-app-\(apps.apps[number])"
        case .version: return "\(verdict)-appver-\(apps.versions[number])"
        }
    }
}
