package import Documents
package import PolicyEngine

/// The counts, with names: the part of a report that runs and replays share.
package struct Figures: Sendable {
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

    /// The frequencies of the values of attributes; `nil` where they were not asked for.
    package var frequencies: [AttributeFrequency]?

    package struct Devices: Hashable, Sendable {
        package var unique = 0
        package var new = 0
        /// Those whose ban was persisted and holds at the end.
        package var banned = 0
    }

    package struct Window: Hashable, Sendable {
        package var start: Instant
        package var passed: Int
        package var failed: Int
        /// The devices by app and causal flag, by the live metric that counts attestations.
        package var counts: [Metric: Int]
    }

    package struct FilterFigures: Hashable, Sendable {
        package var name: String
        package var matched: Int
        package var devices = 0
        package var limitHits: Int
    }

    /// Devices whose decisions depend on something that the capture lacks, which is left out of what is counted; or on
    /// searches that were given up, which count as no match (R7.2).
    package struct Unevaluated: Hashable, Sendable {
        /// The number of devices.
        package var devices = 0
        /// Those among them for which a search was given up.
        package var unsearched = 0
        /// The number of them by what is lacking: `new-did`, or `filter:<name>` for searches of a filter.
        package var reasons = NamedCounts()

        /// No device.
        package init() {}

        /// The name of what is lacking where it is not known which devices were new.
        static let newDevice = "new-did"
        private static let filterPrefix = "filter:"

        /// The number of them that may have been new.
        package var newDevices: Int { reasons[Self.newDevice] ?? 0 }

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
        mutating func addNewDevices(_ count: Int, others: Int) {
            guard count > 0 else { return }
            devices += others
            reasons[Self.newDevice, default: 0] += count
        }

        /// Counts devices for which searches were given up.
        mutating func add(_ searches: UnsearchedDevices) {
            devices += searches.all.count
            unsearched += searches.all.count
            for (name, found) in searches.byFilter { reasons[Self.filterPrefix + name, default: 0] += found.count }
        }

        mutating func add(_ other: Unevaluated) {
            devices += other.devices
            unsearched += other.unsearched
            reasons.merge(other.reasons)
        }
    }

    package struct Reproduction: Hashable, Sendable {
        package var compared: Int
        package var agreed: Int
    }

    package init() {}

    /// Adds to a metric, unless there is nothing to add.
    mutating func add(_ metric: @autoclosure () -> Metric, _ count: Int) {
        if count > 0 { metrics[metric(), default: 0] += count }
    }

    mutating func addFilter(_ name: String, matched: Int, limitHits: Int) {
        if let index = filters.firstIndex(where: { $0.name == name }) {
            filters[index].matched += matched
            filters[index].limitHits += limitHits
        } else {
            filters.append(FilterFigures(name: name, matched: matched, limitHits: limitHits))
        }
    }

    mutating func setFilterDevices(_ name: String, _ devices: Int) {
        if let index = filters.firstIndex(where: { $0.name == name }) { filters[index].devices = devices }
    }
}

extension Figures {
    /// True if there were more apps, or apps in a version, than are counted apart (``CaptureLimits/apps``).
    package var hasOtherApps: Bool {
        let other = ExactText(AppLabels.other)
        return [true, false].contains { passed in
            metrics[.app(other, passed: passed)] != nil || metrics[.version(other, passed: passed)] != nil
        }
    }

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
        let other = ExactText(AppLabels.other)
        return [apps, versions].contains { $0.count - ($0.contains(other) ? 1 : 0) > CaptureLimits.apps }
    }

    /// The message about those apps.
    package static var otherApps: String {
        "there are more than \(CaptureLimits.apps.grouped) apps or app versions: "
            + "those that came later are counted together as `\(AppLabels.other)`"
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
