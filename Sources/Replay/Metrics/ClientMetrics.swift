package import Figures
package import PolicyEngine

/// Adds up what clients report: the `sdk-` metrics (R13.3).
package struct ClientMetrics {
    private let libraryKey: AttributeKey
    private let processorKey: AttributeKey
    private let versionKey: AttributeKey
    // The kinds of client, and by their number what they reported.
    private var kinds = Numbering<Kind>()
    private var reports: [Report] = []

    private struct Kind: Hashable {
        let system: OperatingSystem
        let library: ValueNumber
        let processor: ValueNumber
        let version: ValueNumber
    }

    // The reports of clients of a kind, by the index of each total among all of them.
    private struct Report {
        var counts = [Int](repeating: 0, count: Total.allCases.count)

        mutating func add(_ statistics: ClientStatistics) {
            for (index, total) in Total.allCases.enumerated() { counts[index] += Int(statistics[total]) }
        }
    }

    private typealias Total = Metric.Client.Total

    // By minute since 1970, and by the number of the kind; `nil` where that was not asked for.
    private var minutes: [Int: [Int: Report]]?

    /// Asks for the attributes that it needs.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of clients.
    ///   - keepsSeries: True if reports are kept by minute, too (R13.2a).
    package init(attributes: inout AttributeTable, keepsSeries: Bool = false) {
        minutes = keepsSeries ? [:] : nil
        libraryKey = attributes.key(named: "sdkid", keepingAll: true)
        processorKey = attributes.key(named: "archid", keepingAll: true)
        versionKey = attributes.key(named: "sdk-version", keepingAll: true)
    }

    /// The number of the kind of client that sends an attestation.
    package mutating func kind(of attestation: borrowing Attestation, on system: OperatingSystem) -> Int {
        let kind = Kind(
            system: system, library: attestation.value(of: libraryKey),
            processor: attestation.value(of: processorKey), version: attestation.value(of: versionKey))
        let number = kinds.number(of: kind)
        if number == reports.count { reports.append(Report()) }
        return number
    }

    /// Takes what a client of a kind has to report.
    ///
    /// - Parameters:
    ///   - statistics: The client's counts.
    ///   - kind: The number of its kind.
    ///   - time: When it reports that, which may be long after it made the calls (manual, SDK Metrics).
    package mutating func add(_ statistics: ClientStatistics, ofKind kind: Int, at time: Instant) {
        reports[kind].add(statistics)
        if minutes != nil { minutes?[time.minuteNumber, default: [:]][kind, default: Report()].add(statistics) }
    }

    /// Adds the metrics, and those of each minute where there is a series.
    package func add(to figures: inout Figures, attributes: AttributeTable) {
        for kind in reports.indices {
            for (metric, count) in metrics(of: reports[kind], kinds[kind], attributes) { figures.add(metric, count) }
        }
        for (minute, reports) in minutes ?? [:] {
            var counts: [Metric: Int] = [:]
            for (kind, report) in reports {
                for (metric, count) in metrics(of: report, kinds[kind], attributes) where count > 0 {
                    counts[metric, default: 0] += count
                }
            }
            figures.series?.add(counts, inMinuteOf: Instant(secondsSinceEpoch: minute * 60))
        }
    }

    private func metrics(
        of report: Report, _ kind: Kind, _ attributes: AttributeTable
    ) -> [(metric: Metric, count: Int)] {
        func text(_ value: ValueNumber, _ key: AttributeKey) -> ExactText? {
            value == .absent ? nil : ExactText(attributes.text(of: value, for: key))
        }
        let processor = text(kind.processor, processorKey)
        let kinds = [
            text(kind.library, libraryKey).map(Metric.Client.library),
            text(kind.version, versionKey).map(Metric.Client.version),
            processor.map { .processor($0, kind.system) },
        ]
        let totals = zip(Total.allCases, report.counts).map { (metric: Metric.client(.total($0)), count: $1) }
        let fetches = totals.first { $0.metric == .client(.total(.fetches)) }?.count ?? 0
        return totals + kinds.compactMap(\.self).map { (.client($0), fetches) }
    }
}
