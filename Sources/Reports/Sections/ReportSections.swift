internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

extension Report {
    /// The report in sections: the verdict first, then what explains it.
    ///
    /// - Parameters:
    ///   - isVerbose: True if every step of a scenario is shown.
    ///   - origin: The origin of the report.
    package func sections(isVerbose: Bool = false, _ origin: ReportOrigin = ReportOrigin()) -> [ReportSection] {
        let (run, others) = (
            scenarios.isEmpty ? [] : scenarioSections(isVerbose: isVerbose), otherSections
        )
        // Failures are the last that a terminal shows.
        let sections = scenarios.allSatisfy(\.passed) ? run + others : others + run
        return (sections + ReportSection.explanation(explanation(origin))).narrowed(to: narrowed)
    }

    /// The sections on everything but the scenarios that were run.
    var otherSections: [ReportSection] {
        var sections = [ReportSection].assumed(assumed) + leftOutSections
        // Groups of many scenarios have nothing to do with one another.
        if let only = scenarios.first, scenarios.count == 1 { sections += only.requestSections }
        sections += fetchSections
        // The figures of many scenarios, taken together, explain none of them.
        if figures.attestations + figures.malformed > 0, !isOfFetchesAlone, scenarios.count <= 1 || showsTotals {
            sections += figures.sections
        }
        sections += labelSections + intervalSections + (figures.frequencies ?? []).map(\.section)
        return sections + (coverage?.sections ?? []) + (mutants?.sections ?? [])
    }

    /// The frequency of devices' fetches; nothing where no capture has them.
    var fetchSections: [ReportSection] { fetches?.sections ?? [] }

    /// The verdicts on labelled devices; nothing where there are no labels.
    var labelSections: [ReportSection] {
        figures.labels?.sections(cost: labelCost, at: confidence ?? .usual) ?? []
    }

    /// An expectation that failed, and its line.
    private func explanation(of failure: TestCase) -> [ReportList] {
        var explained = failure.explained
        if let rejections = failure.result.rejections { explained.items.append("rejected: \(rejections)") }
        if let command = explanation(of: failure.result) {
            explained.items.append("explain:  \(command)")
        }
        return [explained] + (sources[failure.result.file].flatMap(failure.excerpt).map { [$0] } ?? [])
    }

    // Which scenarios were not run, and why.
    private var leftOutSections: [ReportSection] {
        guard let leftOut else { return [] }
        guard !leftOut.isEmpty else {
            return [ReportSection(.title("Left out"), sentences: ["no scenario: the change may affect each"])]
        }
        let sum = "\(leftOut.count.grouped) of \((leftOut.count + scenarios.count).grouped) scenarios are not affected"
        return [
            ReportSection(
                .title("Left out"),
                table: LeftOutScenario.columns.table(
                    of: leftOut, showing: ["skip", "name", "reason"], anchor: { "scenario \($0.name)" })),
            ReportSection(.continuation, sentences: [ReportText(sum)]),
        ]
    }

    private func scenarioSections(isVerbose: Bool) -> [ReportSection] {
        let rows = (scenarios.filter(\.passed) + scenarios.filter { !$0.passed }).map { scenario in
            ReportTable.Row(
                cells: [
                    scenario.passed ? .text("pass", .good) : .text("FAIL", .bad), .text(scenario.name),
                    .text(scenario.counts),
                ], details: (isVerbose ? [scenario.steps] : []) + scenario.failures.flatMap { explanation(of: $0) },
                anchor: "scenario \(scenario.name)")
        }
        let passed = scenarios.count { $0.passed }
        let failed = scenarios.count - passed
        let sum =
            failed == 0
            ? "\(passed.grouped) of \(scenarios.count.counting("scenario")) passed"
            : "\(failed.grouped) failed, \(passed.grouped) passed"
        return [
            ReportSection(.title("Scenarios"), table: ReportTable([.text(), .text(), .text()], rows: rows)),
            ReportSection(
                .continuation, sentences: [ReportText(sum, failed == 0 ? .good : .bad)]),
        ]
    }
}

extension ScenarioResult {
    fileprivate var counts: String {
        let held = expectations.count { $0.passed }
        return "\(held)/\(expectations.count) expectations, \(fetches.total.grouped) "
            + "\(fetches.total.agreeing("fetch", "fetches")), \(fetches.attested.grouped) attested"
            + (requests.isEmpty ? "" : ", \(requestCount.counting("request"))")
    }

    /// The events, a line for each step.
    var steps: ReportList { ReportList(items: log, isOutput: true) }
}

extension TestCase {
    fileprivate var explained: ReportList {
        ReportList(
            head: ReportText(result.times == nil ? location : "\(location), at \(time)"),
            items: ["expected: \(result.expected)", "actual:   \(result.actual)"],
            anchor: "expectation \(result.file) \(result.position)")
    }

    // The line of the expectation, and where in it.
    fileprivate func excerpt(in source: SourceFile) -> ReportList? {
        let position = result.position
        guard let line = source.line(position.line) else { return nil }
        let start = line.unicodeScalars.prefix(max(0, position.column - 1))
        let caret = String(String.UnicodeScalarView(start.map { $0 == "\t" ? "\t" : " " })) + "^"
        return ReportList(items: [line, caret], isOutput: true, isAligned: true)
    }
}

extension FetchFigures {
    fileprivate var sections: [ReportSection] {
        let totals = ReportSection(.title("Fetches"), table: ReportTable([.text(), .figure(), .figure()], totals))
        guard !most.isEmpty else { return [totals] }
        let devices: [[ReportTable.Cell]] = most.map { device in
            let verdict = device.passed.map { $0 ? "passed" : "failed" } ?? "not captured"
            return [.text(device.id.description), .number(device.fetches), .share(device.fetches, of: total)]
                + (weights == nil ? [] : [.text(verdict)])
        }
        let columns: [ReportTable.Column] = [.text(), .figure(), .figure(), .figure()]
        return [totals, ReportSection(.title("Devices that fetch most"), table: ReportTable(columns, devices))]
    }

    private var totals: [[ReportTable.Cell]] {
        var rows: [[ReportTable.Cell]] = [
            [.text("fetches"), .number(total)], [.text("devices"), .number(devices)],
        ]
        if let span {
            rows.append([.text("first"), .text(span.lowerBound.description)])
            rows.append([.text("last"), .text(span.upperBound.description)])
        }
        if let weights {
            for (name, count) in [
                ("by devices that passed", weights.passed), ("by devices that failed", weights.failed),
                ("by devices not captured", weights.unknown),
            ] { rows.append([.text(name), .number(count), .share(count, of: total)]) }
        }
        if malformed > 0 { rows.append([.text("malformed lines left out"), .number(malformed)]) }
        return rows
    }
}

extension DecidedRules {
    /// The line that names the rules: `this answer rests on R4.6 and R6.1, which the manual leaves open`; none where no rule is
    /// met.
    var lines: [ReportText] {
        isEmpty ? [] : ["this answer rests on \(all.map(\.number).listed), which the manual leaves open"]
    }

    /// The line as a section at the end of a report; none where no rule is met.
    var sections: [ReportSection] { isEmpty ? [] : [ReportSection(.continuation, sentences: lines)] }
}

extension [String] {
    // `R4.6, R6.1 and R7.6`.
    fileprivate var listed: String {
        guard let last, count > 1 else { return joined() }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}
