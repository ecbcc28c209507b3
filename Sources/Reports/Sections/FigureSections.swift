internal import Documents
internal import Figures
internal import PolicyEngine

extension Figures {
    /// The counts, in sections.
    var sections: [ReportSection] {
        doubt + [totals] + rejections + filterMatches + unknownFlagCounts + [lifetimeCounts] + apps + policyCounts
    }

    /// The sections on everything but verdicts.
    var others: [ReportSection] {
        filterMatches + unknownFlagCounts + [lifetimeCounts] + (policies.keys.count > 1 ? policyCounts : [])
    }

    /// The devices that could not be evaluated, by the reason.
    var doubts: [(devices: Int, reason: String)] {
        var reasons = unevaluated.filters.map { ($0.devices, Unevaluated.sentence(ofFilter: $0.name)) }
        if unevaluated.newDevices > 0 {
            reasons.insert((unevaluated.newDevices, Figures.Unevaluated.newDeviceReason), at: 0)
        }
        return reasons
    }

    /// The devices that could not be evaluated, in sentences.
    var doubtWords: [String] {
        func sentence(_ count: Int, _ words: String) -> String {
            "\(count.grouped) of \(devices.unique.counting("device")) (\(count.share(of: devices.unique))) \(words)"
        }
        let left = unevaluated.leftOut
        let leftOut =
            "\(left.agreeing("gets", "get")) the same verdict, new or not, and other figures leave out what depends on new "
            + "devices: \(Figures.Unevaluated.newDeviceReason)"
        return doubts.map { sentence($0, "\($0.agreeing("is", "are")) not evaluated: \($1)") }
            + (left == 0 ? [] : [sentence(left, leftOut)])
    }

    // Said before what was counted.
    private var doubt: [ReportSection] { doubtWords.map { ReportSection(.notice(ReportText($0, .strong))) } }

    private var totals: ReportSection {
        let (passed, failed) = (metrics[.pass] ?? 0, metrics[.fail] ?? 0)
        var rows: [[ReportTable.Cell]] = [
            [.text("attestations"), .number(attestations)],
            [.text("passed"), .number(passed), .share(passed, of: attestations)],
            [.text("failed"), .number(failed), .share(failed, of: attestations)],
        ]
        if malformed > 0 { rows.append([.text("malformed, left out"), .number(malformed)]) }
        rows.append([.text("devices"), .number(devices.unique)])
        rows.append([.text("new devices"), .number(devices.new), .share(devices.new, of: devices.unique)])
        if devices.banned > 0 {
            rows.append([.text("banned devices"), .number(devices.banned), .share(devices.banned, of: devices.unique)])
        }
        rows.append([.text("devices billed"), .number(billing)])
        if let reproduced {
            let (agreed, compared) = (reproduced.agreed, reproduced.compared)
            rows.append([.text("captured verdicts"), .number(compared)])
            rows.append([.text("  of which this account reproduces"), .number(agreed), .share(agreed, of: compared)])
        }
        return ReportSection(.title("Attestations"), table: ReportTable([.text(), .figure(), .figure()], rows))
    }

    /// The causes for which attestations fail, the commonest first.
    var rejections: [ReportSection] {
        let causes = metrics.compactMap { metric, count in
            if case .rejection(let rejection) = metric { (rejection.name, count) } else { nil }
        }
        return ranking("Why attestations fail", of: "reason", causes, of: metrics[.fail] ?? 0, .worse)
    }

    private var filterMatches: [ReportSection] {
        guard !filters.isEmpty else { return [] }
        let columns: [ReportTable.Column] = [
            .text("filter"), .figure("matched"), .figure("share", bars: .neutral).scaled(as: "filters"),
            .figure("devices"),
        ]
        let rows = filters.map { filter in
            ReportTable.Row(
                cells: [
                    .text(filter.name), .number(filter.matched), .share(filter.matched, of: attestations),
                    .number(filter.devices),
                ], anchor: "filter \(filter.name)")
        }
        return [ReportSection(.title("Filters"), table: ReportTable(columns, rows: rows))]
    }

    private var unknownFlagCounts: [ReportSection] {
        ranking("Flags that no policy knows", of: "flag", unknownFlags.map { ($0.key, $0.value) }, of: attestations)
    }

    private var lifetimeCounts: ReportSection {
        let rows: [[ReportTable.Cell]] = lifetimes.sorted { $0.key > $1.key }.map {
            [.seconds($0.key), .number($0.value), .share($0.value, of: attestations)]
        }
        return ReportSection(
            .title("Token lifetimes"),
            table: ReportTable(Self.columns(of: "lifetime", .neutral, scale: "lifetimes"), rows))
    }

    /// The apps and their versions.
    var apps: [ReportSection] {
        func figure(passed: Bool) -> WritableKeyPath<VerdictCounts, Int> { passed ? \.passed : \.failed }
        var (apps, versions): ([ExactText: VerdictCounts], [ExactText: VerdictCounts]) = ([:], [:])
        for (metric, count) in metrics {
            switch metric {
            case .app(let app, let passed):
                apps[app, default: VerdictCounts()][keyPath: figure(passed: passed)] = count
            case .version(let version, let passed):
                versions[version, default: VerdictCounts()][keyPath: figure(passed: passed)] = count
            default: continue
            }
        }
        let note = hasOtherApps ? [ReportSection(.notice(ReportText(Self.otherApps)))] : []
        return note + table("Apps", apps) + table("App versions", versions)
    }

    private func table(_ title: String, _ counts: [ExactText: VerdictCounts]) -> [ReportSection] {
        guard !counts.isEmpty else { return [] }
        let columns: [ReportTable.Column] = [
            .text(), .figure("attestations"), .figure("passed").onlyText, .figure("failed").onlyText,
            .figure("failing", bars: .worse),
        ]
        let ranked = counts.sorted { ($1.value.total, $0.key) < ($0.value.total, $1.key) }
        let rows = ranked.map { name, verdicts in
            ReportTable.Row(
                cells: [
                    .name(name.text, spoken: SpokenName.text(of: name.text)), .number(verdicts.total),
                    .number(verdicts.passed), .number(verdicts.failed), .share(verdicts.failed, of: verdicts.total),
                ], anchor: "\(title) \(name.text)")
        }
        return [ReportSection(.title(title), table: .ranking(columns, rows: rows))]
    }

    private var policyCounts: [ReportSection] {
        ranking("Policies applied", of: "policy", policies.map { ($0.key, $0.value) }, of: attestations)
    }

    private func ranking(
        _ title: String, of kind: String, _ entries: [(String, Int)], of total: Int,
        _ tone: ReportPlot.Tone = .neutral
    ) -> [ReportSection] {
        guard !entries.isEmpty else { return [] }
        let ranked = entries.sorted { ($1.1, ExactText($0.0)) < ($0.1, ExactText($1.0)) }
        let catalogue = FlagCatalogue()
        let rows = ranked.map { name, count in
            ReportTable.Row(
                cells: [.text(name), .number(count), .share(count, of: total)], anchor: "\(title) \(name)")
        }
        var section = ReportSection(
            .title(title), table: .ranking(Self.columns(of: kind, tone, scale: title), rows: rows))
        section.terms = ranked.compactMap { name, _ in
            catalogue.meaning(ofFlag: name).map { .init(name, ReportText($0)) }
        }
        section.termsFold = "What \(section.terms.count == 1 ? "the flag means" : "these flags mean")"
        return [section]
    }

    private static func columns(
        of kind: String, _ tone: ReportPlot.Tone, scale: String
    ) -> [ReportTable.Column] {
        [.text(page: kind), .figure(page: "attestations"), .figure(page: "share", bars: tone).scaled(as: scale)]
    }
}

/// Names of systems and apps as people say them, rather than as metrics have them (R13.1).
enum SpokenName {
    /// `Android` for `and`, `iOS · com.example` for `ios-com.example`; any other name as it is.
    static func text(of name: String) -> String {
        for system in OperatingSystem.allCases {
            if name == system.metricName { return system.spoken }
            let start = system.metricName + "-"
            if name.hasPrefix(start) { return "\(system.spoken) · \(name.dropFirst(start.count))" }
        }
        return name
    }
}

extension OperatingSystem {
    fileprivate var spoken: String {
        switch self {
        case .android: "Android"
        case .ios: "iOS"
        case .unknown: "Unknown system"
        }
    }
}
