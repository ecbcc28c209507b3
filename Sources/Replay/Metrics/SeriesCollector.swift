internal import Figures
internal import PolicyEngine

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
