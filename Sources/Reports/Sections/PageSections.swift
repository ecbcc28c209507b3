internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

extension Comparison {
    /// The comparison as a page: the sections of every form, with plots over time.
    ///
    /// - Parameters:
    ///   - timeline: The timeline of the change in a scenario.
    ///   - limits: The caller's limits.
    ///   - origin: The origin of the comparison.
    func page(timeline: ChangeTimeline?, limits: [LimitResult], origin: ReportOrigin) -> ReportPage {
        var sections = sections
        let windows = before.figures.windows.merging(after.figures.windows) { $0 + $1 }
        let times = TimeSections(windows)
        let attestations = times.flatMap { $0.attestations(before: before.figures, after: after.figures) }
        let devices = times?.devices(before: before.figures, after: after.figures)
        // Behind the headline.
        sections.insert(
            contentsOf: grounds(limits) + (timeline?.sections ?? []) + [attestations, devices].compactMap(\.self),
            at: min(1, sections.count))
        return ReportPage(title: "What the change would do", sections: sections + origin.sections, origin: origin)
    }
}

extension Comparison {
    // The grounds of the answer, and the results of the limits.
    private func grounds(_ limits: [LimitResult]) -> [ReportSection] {
        let grounds = ReportSection(.title("What the answer rests on"), sentences: grounds.map { ReportText($0) })
        return [grounds] + LimitResult.sections(limits)
    }
}

extension Report {
    /// The report as a page.
    ///
    /// - Parameters:
    ///   - isVerbose: True if every step of a scenario is shown.
    ///   - origin: The origin of the report.
    func page(isVerbose: Bool, origin: ReportOrigin) -> ReportPage {
        var sections = sections(isVerbose: isVerbose)
        sections.insert(ReportSection(.notice(result)), at: 0)
        let times = scenarios.isEmpty ? TimeSections.all(figures.windows) : []
        let totals = sections.firstIndex { if case .title = $0.heading { true } else { false } } ?? 0
        let attestations = times.first?.attestations(figures)
        sections.insert(contentsOf: [attestations].compactMap(\.self) + times.map { $0.devices(figures) }, at: totals)
        let title = scenarios.isEmpty ? "What the account decides" : "What the scenarios expect"
        return ReportPage(title: title, sections: sections + origin.sections, origin: origin)
    }

    // The sentence that a reader looks for first.
    private var result: ReportText {
        guard scenarios.isEmpty else {
            let failed = scenarios.count { !$0.passed }
            return failed == 0
                ? ReportText("All \(scenarios.count.grouped) scenarios passed", .good)
                : ReportText("\(failed.grouped) of \(scenarios.count.grouped) scenarios failed", .bad)
        }
        if isOfFetchesAlone { return ReportText("\(fetches?.total.grouped ?? "0") fetches", .strong) }
        let failed = figures.metrics[.fail] ?? 0
        return ReportText(
            "\(failed.grouped) of \(figures.attestations.grouped) attestations "
                + "(\(failed.share(of: figures.attestations))) fail", .strong)
    }
}
