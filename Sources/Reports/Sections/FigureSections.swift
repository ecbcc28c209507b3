internal import Documents
internal import PolicyEngine
internal import Replay

extension Figures {
    /// What was counted, in sections.
    ///
    /// - Parameter withCauses: Whether it is said why attestations failed, and of which apps and under which policies.
    func sections(withCauses: Bool) -> [ReportSection] {
        var sections = doubt + [totals]
        if withCauses { sections += rejections + filterMatches }
        sections += unknownFlagCounts + [lifetimeCounts]
        if withCauses { sections += apps + policyCounts }
        return sections
    }

    // Said before what was counted.
    private var doubt: [ReportSection] {
        let (out, all) = (unjudged.devices, devices.unique)
        guard out > 0 else { return [] }
        let sentence =
            "\(out.grouped) of \(all.grouped) devices (\(out.share(of: all))) are not judged: "
            + NewDeviceDoubt.reason
        return [ReportSection(.notice(ReportText(sentence, .strong)))]
    }

    private var totals: ReportSection {
        let (passed, failed) = (metrics["pass"] ?? 0, metrics["fail"] ?? 0)
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

    private var rejections: [ReportSection] {
        let causes = metrics.filter { $0.key.hasPrefix("rejection-") }.map { metric in
            let name = metric.key.dropFirst("rejection-".count)
            for kind in ["flag-", "filter-", "policy-"] where name.hasPrefix(kind) {
                let bare = String(name.dropFirst(kind.count))
                return (kind == "flag-" ? bare : "\(kind.dropLast()):\(bare)", metric.value)
            }
            return (String(name), metric.value)
        }
        return ranking("Why attestations fail", causes, of: metrics["fail"] ?? 0)
    }

    private var filterMatches: [ReportSection] {
        guard !filters.isEmpty else { return [] }
        let columns: [ReportTable.Column] = [
            .text("filter"), .figure("matched"), .figure("share"), .figure("devices"),
        ]
        let rows: [[ReportTable.Cell]] = filters.map { filter in
            [
                .text(filter.name), .number(filter.matched), .share(filter.matched, of: attestations),
                .number(filter.devices),
            ]
        }
        return [ReportSection(.title("Filters"), table: ReportTable(columns, rows))]
    }

    private var unknownFlagCounts: [ReportSection] {
        ranking("Flags that no policy knows", unknownFlags.map { ($0.key, $0.value) }, of: attestations)
    }

    private var lifetimeCounts: ReportSection {
        let rows: [[ReportTable.Cell]] = lifetimes.sorted { $0.key > $1.key }.map {
            [.seconds($0.key), .number($0.value), .share($0.value, of: attestations)]
        }
        return ReportSection(.title("Token lifetimes"), table: ReportTable([.text(), .figure(), .figure()], rows))
    }

    private var apps: [ReportSection] {
        app("Apps", "app-") + app("App versions", "appver-")
    }

    private func app(_ title: String, _ kind: String) -> [ReportSection] {
        var counts: [ExactText: VerdictCounts] = [:]
        for (metric, count) in metrics {
            for (verdict, figure) in [("pass-", \VerdictCounts.passed), ("fail-", \VerdictCounts.failed)]
            where metric.hasPrefix(verdict + kind) {
                let name = String(metric.dropFirst(verdict.count + kind.count))
                counts[ExactText(name), default: VerdictCounts()][keyPath: figure] = count
            }
        }
        guard !counts.isEmpty else { return [] }
        let columns: [ReportTable.Column] = [
            .text(), .figure("attestations"), .figure("passed"), .figure("failed"), .figure("failing"),
        ]
        let ranked = counts.sorted { ($1.value.total, $0.key) < ($0.value.total, $1.key) }
        let rows: [[ReportTable.Cell]] = ranked.map { name, verdicts in
            [
                .text(name.text), .number(verdicts.total), .number(verdicts.passed), .number(verdicts.failed),
                .share(verdicts.failed, of: verdicts.total),
            ]
        }
        return [ReportSection(.title(title), table: .ranking(columns, rows))]
    }

    private var policyCounts: [ReportSection] {
        ranking("Policies applied", policies.map { ($0.key, $0.value) }, of: attestations)
    }

    private func ranking(_ title: String, _ entries: [(String, Int)], of total: Int) -> [ReportSection] {
        guard !entries.isEmpty else { return [] }
        let ranked = entries.sorted { ($1.1, ExactText($0.0)) < ($0.1, ExactText($1.0)) }
        let rows: [[ReportTable.Cell]] = ranked.map { [.text($0.0), .number($0.1), .share($0.1, of: total)] }
        return [ReportSection(.title(title), table: .ranking([.text(), .figure(), .figure()], rows))]
    }
}
