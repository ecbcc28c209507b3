package import Documents
package import PolicyEngine

/// The counts, with names: the part of a report that runs and replays share.
package struct Figures: Figure {
    package var attestations = 0
    package var malformed = 0
    /// The live metrics (R13.1) and those of clients (R13.3); `pass` and `fail` always, others when above 0.
    package var metrics: [Metric: Int] = [:]
    /// The number of tokens that got each lifetime, in seconds.
    package var lifetimes: [Int: Int] = [:]
    /// The number of times that each security policy was applied, by its text.
    package var policies = NamedCounts()
    package var devices = Devices()
    /// Unique devices by window, those windows only in which something happened (R13.2).
    package var windows: [WindowKind: [Window]] = [:]
    /// Attestations by the start of their hour, those hours only in which there were any.
    package var hours: [Instant: VerdictCounts] = [:]
    /// The highest number of unique devices that passed in a billing month: what the bill is made by (R13.2).
    package var billing = 0
    /// In filter order, then in the order in which changes brought them.
    package var filters: [FilterFigures] = []
    /// Flags that only a capture brought, so that no policy can name them, and how often each was set (R2.2).
    package var unknownFlags = NamedCounts()
    /// The devices that could not be evaluated.
    package var unevaluated = Unevaluated()
    /// `nil` where no record has what the service decided.
    package var reproduced: Reproduction?
    /// The live metrics by minute; `nil` where they were not asked for (R13.2a).
    package var series: MetricSeries?
    /// The evaluated devices that failed at least once.
    package var failingDevices = 0

    /// The devices of groups; `nil` where they were not asked for.
    package var groups: GroupDevices?

    /// The frequencies of the values of attributes; `nil` where they were not asked for.
    package var frequencies: [AttributeFrequency]?

    /// The verdicts on labelled devices; `nil` where there are no labels.
    package var labels: LabelFigures?

    package init() {}

    package static let fields: [FigureField<Figures>] = [
        .sum("attestations", \.attestations), .sum("malformed", \.malformed), .sum("metrics", \.metrics),
        .sum("lifetimes", \.lifetimes), .sum("policies", \.policies), .sum("devices", \.devices),
        .value("windows", \.windows) { $0.addWindows($1) }, .sum("hours", \.hours), .sum("billing", \.billing),
        .sum("filters", \.filters), .sum("unknown-flags", \.unknownFlags), .sum("unjudged", \.unevaluated),
        .sum("reproduced", \.reproduced), .sum("series", \.series), .sum("labels", \.labels),
        .sum("failing-devices", \.failingDevices, as: .none), .sum("groups", \.groups, as: .none),
    ]

    /// The seconds that a token can live.
    static let tokenLifetimes = 0...3600

    // Products of counts and lifetimes must fit.
    package var isPossible: Bool {
        lifetimes.keys.allSatisfy(Self.tokenLifetimes.contains) && lifetimes.values.reduce(0, +) <= attestations
    }

    package struct Devices: Figure, Addable, Hashable {
        package var unique = 0
        package var new = 0
        /// Those whose ban was persisted and holds at the end.
        package var banned = 0

        package static let fields: [FigureField<Devices>] = [
            .sum("unique", \.unique, "All devices."), .sum("new", \.new, "Devices that were new."),
            .sum("banned", \.banned, "Devices that are banned at the end."),
        ]

        package init() {}
    }

    package struct Window: Figure, Addable, Keyed, Hashable {
        package var start = Instant(secondsSinceEpoch: 0)
        package var passed = 0
        package var failed = 0
        /// The devices by app and causal flag, by the live metric that counts attestations.
        package var counts: [Metric: Int] = [:]

        package static let fields: [FigureField<Window>] = [
            .value("start", \.start, "When the window starts."),
            .sum("passed", \.passed, "Devices that passed in it at least once.", as: .named("pass")),
            .sum("failed", \.failed, "Devices that failed in it at least once.", as: .named("fail")),
            .sum("counts", \.counts, as: .none),
        ]

        package init() {}

        package var key: Instant { start }

        package static var reportedForm: JSONSchema { .members(reportedFields().members, others: .wholeNumber) }
    }

    package struct FilterFigures: Figure, Addable, Keyed, Hashable {
        package var name = ""
        package var matched = 0
        package var devices = 0
        package var limitHits = 0

        package static let fields: [FigureField<FilterFigures>] = [
            .value("name", \.name, "The name of the filter."),
            .sum("matched", \.matched, "Attestations that it matched."),
            .sum("devices", \.devices, "Devices that it matched."),
            .sum(
                "limit-hits", \.limitHits, "Searches of its pattern that reached the match limit.",
                as: .named("match-limit-hits")),
        ]

        package init() {}

        package var key: String { name }
    }

    /// Devices whose verdicts depend on something that the capture lacks, which is left out of what is counted; or on
    /// searches that were given up, which count as no match (R7.2).
    package struct Unevaluated: Figure, Addable, Hashable {
        /// The number of devices.
        package var devices = 0
        /// Those among them for which a search was given up.
        package var unsearched = 0
        /// The number of them by what is lacking: `new-did`, or `filter:<name>` for searches of a filter.
        package var reasons = NamedCounts()
        /// Further devices, whose verdicts are known, but of which other figures leave out what depends on new devices.
        package var leftOut = 0

        package static let fields: [FigureField<Unevaluated>] = [
            .sum("devices", \.devices, "Devices whose verdict is open."), .sum("unsearched", \.unsearched, as: .none),
            .sum(
                "reasons", \.reasons,
                "These devices by what is lacking: `new-did`, or the filter whose search was given up."),
            .sum(
                "left-out", \.leftOut, "Further devices, of which some figures leave out what depends on new devices."),
        ]

        /// No device.
        package init() {}

        /// The name of what is lacking where it is not known which devices were new.
        private static let newDevice = "new-did"
        private static let filterPrefix = "filter:"

        /// The number of them that may have been new.
        package var newDevices: Int { reasons[Self.newDevice] ?? 0 }

        /// Why what depends on new devices is not evaluated.
        package static let newDeviceReason = "no record has `new-did`, so it is not known which devices were new"

        /// The filters whose searches were given up, and the devices of each.
        package var filters: [(name: String, devices: Int)] {
            reasons.compactMap { reason, count in reason.part(behind: Self.filterPrefix).map { ($0, count) } }
        }

        /// Why devices are not evaluated, where the searches of a filter were given up.
        package static func sentence(ofFilter name: String) -> String {
            "\(searchesStart)\(name.quoted) were given up"
        }

        /// The start of such a sentence.
        package static let searchesStart = "searches of filter "

        /// Counts devices of which it is not known whether they were new.
        ///
        /// - Parameter others: The number of them that were not counted for a search.
        package mutating func addNewDevices(_ count: Int, others: Int) {
            guard count > 0 else { return }
            devices += others
            reasons[Self.newDevice, default: 0] += count
        }

        /// Counts devices for which searches were given up.
        ///
        /// - Parameter byFilter: The number of them by the name of the filter; one device may be at several.
        package mutating func addUnsearched(_ count: Int, byFilter: [String: Int]) {
            devices += count
            unsearched += count
            for (name, count) in byFilter { reasons[Self.filterPrefix + name, default: 0] += count }
        }
    }

    package struct Reproduction: Figure, Addable, Hashable {
        package var compared = 0
        package var agreed = 0

        package static let fields: [FigureField<Reproduction>] = [
            .sum("compared", \.compared, "Records with a captured verdict."),
            .sum("agreed", \.agreed, "Those of them of which the account gives the verdict."),
        ]

        package init() {}
    }
}

// MARK: Adding

extension Figures: Addable {
    /// Adds to a metric, unless there is nothing to add.
    package mutating func add(_ metric: @autoclosure () -> Metric, _ count: Int) {
        if count > 0 { metrics[metric(), default: 0] += count }
    }

    /// Adds the figures of another stream, whose devices are other devices. Accounts are billed apart, whatever their months.
    package mutating func merge(_ other: Figures) { addFields(other) }

    /// Adds the figures of other devices of the same stream.
    package mutating func add(_ other: Figures) {
        merge(other)
        billing = highestMonth
    }

    /// Takes the figures that leave out what depends on new devices. Decisions of the service are compared with the decisions
    /// as they are written, record by record.
    package mutating func finish(_ others: Figures) {
        let reproduced = reproduced
        self = others
        self.reproduced = reproduced
    }

    /// Counts requests that were malformed: `fail-bad-request`.
    package mutating func addMalformed(_ count: Int) {
        malformed += count
        add(.badRequest, count)
    }

    /// The devices that passed in the month in which most did.
    package var highestMonth: Int { (windows[.monthly] ?? []).map(\.passed).max() ?? 0 }

    // Records that are not in the order of time come back to a window that was closed.
    private mutating func addWindows(_ other: Figures) {
        for kind in WindowKind.allCases {
            let all = (windows[kind] ?? []) + (other.windows[kind] ?? [])
            let byStart = Dictionary(all.map { ($0.start, $0) }) { first, second in
                var sum = first
                sum.add(second)
                return sum
            }
            windows[kind] = byStart.values.sorted { $0.start < $1.start }
        }
    }
}

extension Figures {
    /// True if there were more apps, or apps in a version, than are counted apart (``appLimit``).
    package var hasOtherApps: Bool {
        let other = ExactText(Self.otherApp)
        return [true, false].contains { passed in
            metrics[.app(other, passed: passed)] != nil || metrics[.version(other, passed: passed)] != nil
        }
    }

    /// The maximum number of apps that are counted apart, and of apps in a version; the others are counted together.
    package static let appLimit = 10_000

    /// The name of the others; no app has it, since names start with a system.
    package static let otherApp = "other"

    /// True if there are more apps, or apps in a version, than one machine counts apart.
    var hasAppsBeyondLimit: Bool {
        var (apps, versions) = (Set<ExactText>(), Set<ExactText>())
        for metric in metrics.keys {
            switch metric {
            case .app(let name, _): apps.insert(name)
            case .version(let name, _): versions.insert(name)
            default: break
            }
        }
        let other = ExactText(Self.otherApp)
        return [apps, versions].contains { $0.count - ($0.contains(other) ? 1 : 0) > Self.appLimit }
    }

    /// The message about those apps.
    package static var otherApps: String {
        "there are more than \(appLimit.grouped) apps or app versions: "
            + "those that came later are counted together as `\(otherApp)`"
    }

    /// The value of a metric, 0 when nothing was counted.
    ///
    /// - Parameters:
    ///   - metric: The metric; one of a window has the value of the window that is open at `end`.
    ///   - end: When the scenario ends.
    ///   - billingDay: The day on which a billing month starts.
    package func value(of metric: Metric, at end: Instant, billingDay: Int) -> Int {
        switch metric {
        case .billing: return billing
        case .devices(let counted, let kind):
            let start = kind.start(ofWindowAt: end, billingDay: billingDay)
            guard let window = windows[kind]?.first(where: { $0.start == start }) else { return 0 }
            if case .verdict(let passed) = counted { return passed ? window.passed : window.failed }
            return window.counts[counted] ?? 0
        default: return metrics[metric] ?? 0
        }
    }
}

extension WindowKind {
    /// When the window starts that an instant lies in.
    fileprivate func start(ofWindowAt time: Instant, billingDay: Int) -> Instant {
        let hours =
            switch self {
            case .hourly: time.hourNumber
            case .daily: time.dayNumber * 24
            case .monthly: BillingMonth.start(of: time.date, billingDay: billingDay).dayNumber * 24
            }
        return Instant(secondsSinceEpoch: hours * 3600)
    }
}

extension Figures.FilterFigures {
    /// Warns that the filter's regex hit its match limit (R7.2).
    ///
    /// - Parameter file: The file of the warning, as it is shown to the user.
    package func limitWarning(file: String) -> Diagnostic {
        Diagnostic(
            severity: .warning, file: file,
            message: "the regex of filter \(name.quoted) hit its match limit \(limitHits.grouped) times; "
                + "that counts as no match",
            hint: "a pattern without nested repetition does not")
    }
}

/// The number of passes and the number of failures of something.
package struct VerdictCounts: Addable, Hashable, Sendable {
    package var passed = 0
    package var failed = 0

    package init() {}

    /// Both together.
    package var total: Int { passed + failed }

    /// Adds both counts of others.
    package mutating func add(_ other: VerdictCounts) {
        passed += other.passed
        failed += other.failed
    }
}

extension VerdictCounts: FigureValue {
    package var partial: JSONValue { .array([passed.partial, failed.partial]) }
    package init?(partial content: JSONContent) {
        guard let (passed, failed): (Int, Int) = content.pair() else { return nil }
        self.init()
        (self.passed, self.failed) = (passed, failed)
    }
}
