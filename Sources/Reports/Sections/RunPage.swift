internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

extension Report {
    /// The page of a run: what failed, each expectation with its values; then the scenarios that passed, by folder.
    ///
    /// - Parameters:
    ///   - isVerbose: True if every step of a scenario is shown.
    ///   - origin: The origin of the report.
    func runPage(isVerbose: Bool, origin: ReportOrigin) -> ReportPage {
        let (failed, passed) = (scenarios.filter { !$0.passed }, scenarios.filter(\.passed))
        let failures = failed.prefix(Self.failureLimit).map { failure($0, isVerbose: isVerbose) }
        return ReportPage(
            title: subject, scope: scenarios.count == 1 ? SpanWords.scope(of: figures.hours) : [],
            head: runHead(failed: failed.count),
            sections: failures + unshown(failed) + byFolder(passed, isVerbose: isVerbose)
                + otherSections
                + origin.sections(explaining: explanation(origin)), origin: origin)
    }

    // The number of failed scenarios whose expectations are shown.
    private static let failureLimit = 50

    // The scenario, or how many of which folder.
    private var subject: String {
        if scenarios.count == 1 { return scenarios[0].name }
        let folders = Set(scenarios.map(\.folder))
        let folder = folders.count == 1 ? folders.first ?? "" : ""
        return (folder.isEmpty ? "" : "\(folder): ") + "\(scenarios.count.grouped) scenarios"
    }

    // MARK: Head

    // The verdict of the scenarios alone: limits on coverage and on changes of accounts have their own messages.
    private func runHead(failed: Int) -> ReportHead {
        let all = scenarios.count
        guard all > 0 else { return ReportHead("No scenario is affected by the change") }
        let expectations = scenarios.flatMap(\.expectations)
        let held = expectations.count(where: \.passed)
        let time = scenarios.compactMap(\.duration).reduce(.zero, +)
        let timed = time > .zero ? " in \(DurationWords.text(time))" : ""
        var head: ReportHead
        if failed > 0 {
            head = ReportHead(
                "\(failed.grouped) of \(all.counting("scenario")) failed", verdict: ReportText("✗ Failed", .bad),
                details: [
                    ReportText(
                        "\((expectations.count - held).grouped) of \(expectations.count.counting("expectation")) \((expectations.count - held).agreeing("does", "do")) not hold\(timed)."
                    )
                ])
        } else {
            head = ReportHead(
                (all == 1 ? "The scenario passed" : "All \(all.grouped) scenarios passed") + timed,
                verdict: expectations.isEmpty ? "Nothing was expected" : ReportText("✓ Passed", .good),
                details: [ReportText("\(held.counting("expectation")) held.")])
        }
        if let coverage {
            head.facts = [
                .init(
                    "Exercised of the rules and the accounts", coverage.covered.share(of: coverage.total),
                    ReportText("\(coverage.covered.grouped) of \(coverage.total.counting("part"))"))
            ]
        }
        return head
    }

    // MARK: Failures

    // The expectations of a scenario that failed, and the reasons why its attestations were rejected.
    private func failure(_ scenario: ScenarioResult, isVerbose: Bool) -> ReportSection {
        let rows = scenario.failures.map { failure in
            let result = failure.result
            return ReportTable.Row(
                cells: [
                    .text(failure.check), .text(failure.subject),
                    .text("\(failure.time), line \(result.position.line)"),
                    .difference(expected: result.expected, actual: result.actual),
                ], note: result.rejections.map { "rejected: \($0)" },
                anchor: "expectation \(result.file) \(result.position)")
        }
        // Most of them have the same command.
        var commands: [String] = []
        for command in scenario.failures.compactMap({ explanation(of: $0.result) }) where !commands.contains(command) {
            commands.append(command)
        }
        let explained =
            commands.isEmpty ? [] : [ReportList(head: "why, step by step:", items: commands, isOutput: true)]
        return ReportSection(
            .title(scenario.name), sentences: [ReportText(counts(of: scenario))],
            table: ReportTable(
                [.text("expectation"), .text("devices"), .text("step"), .text("values")], rows: rows),
            lists: explained + scenario.rejections + (isVerbose ? [scenario.steps] : []))
    }

    private func counts(of scenario: ScenarioResult) -> String {
        let (all, failed) = (scenario.expectations.count, scenario.failures.count)
        let time = scenario.duration.map { [DurationWords.text($0)] } ?? []
        return (["`\(scenario.file)`", "\(failed.grouped) of \(all.counting("expectation")) failed"] + time)
            .joined(separator: " · ")
    }

    // The scenarios that failed, too many to be shown whole.
    private func unshown(_ failed: [ScenarioResult]) -> [ReportSection] {
        let rest = failed.dropFirst(Self.failureLimit)
        guard !rest.isEmpty else { return [] }
        let rows = rest.map { scenario in
            [
                ReportTable.Cell.text(scenario.name),
                .text("\(scenario.failures.count.grouped) of \(scenario.expectations.count.grouped) failed"),
            ]
        }
        return [ReportSection(.title("More failed scenarios"), table: ReportTable([.text(), .text()], Array(rows)))]
    }

    // MARK: Passed

    // The names of the scenarios that passed, folder by folder.
    private func byFolder(_ passed: [ScenarioResult], isVerbose: Bool) -> [ReportSection] {
        guard !passed.isEmpty else { return [] }
        var folders: [String] = []
        for scenario in passed where !folders.contains(scenario.folder) { folders.append(scenario.folder) }
        let isTimed = passed.contains { $0.duration != nil }
        let parts = folders.map { folder in
            let rows = passed.filter { $0.folder == folder }.map { scenario in
                ReportTable.Row(
                    // A scenario that expects nothing cannot fail.
                    cells: [.text((scenario.expectations.isEmpty ? "" : "✓ ") + scenario.name)]
                        + (isTimed ? [.text(scenario.duration.map(DurationWords.text) ?? "–")] : []),
                    details: isVerbose ? [scenario.steps] : [], anchor: "scenario \(scenario.name)")
            }
            let words = "\(folder.isEmpty ? "Scenarios" : folder): \(rows.count.grouped) passed"
            return ReportSection(
                .title(words), table: ReportTable([.text()] + (isTimed ? [.figure()] : []), rows: rows),
                place: .beside)
        }
        if parts.count == 1 { return [parts[0].placed(.alone)] }
        var head = ReportSection(.title("\(passed.count.grouped) passed"))
        head.holdsParts = true
        return [head] + parts
    }
}

/// Measured times in words.
enum DurationWords {
    /// `1.9 s`, or `12 ms` below a tenth of a second.
    static func text(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        return milliseconds < 100 ? "\(milliseconds) ms" : "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
    }
}

extension ScenarioResult {
    // The name of the folder that the file is in; empty where its path has none.
    fileprivate var folder: String { file.split(separator: "/").dropLast().last.map(String.init) ?? "" }

    // The causes for which attestations of the scenario fail, the commonest first.
    fileprivate var rejections: [ReportList] {
        let catalogue = FlagCatalogue()
        let causes = figures.metrics.compactMap { metric, count -> (cause: Rejection, count: Int)? in
            if case .rejection(let cause) = metric { (cause, count) } else { nil }
        }
        guard !causes.isEmpty else { return [] }
        let ranked = causes.sorted { ($1.count, ExactText($0.cause.name)) < ($0.count, ExactText($1.cause.name)) }
        let items = ranked.prefix(Self.causeLimit).map { cause, count in
            let meaning = if case .flag(let flag) = cause { catalogue.meaning(ofFlag: flag.text) } else { String?.none }
            return "\(cause.name): \(count.grouped)" + (meaning.map { " – \($0)" } ?? "")
        }
        return [ReportList(head: "attestations that the scenario's accounts reject, by the cause", items: items)]
    }

    // The number of causes that are named of a scenario.
    private static let causeLimit = 5
}
