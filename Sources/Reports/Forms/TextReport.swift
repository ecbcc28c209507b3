internal import Documents
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// Writes a report for people: the verdict first, then what explains it.
package enum TextReport {
    /// The report as lines.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - style: Colours, where a terminal shows them.
    ///   - isVerbose: Whether every step of a scenario is told.
    package static func text(of report: Report, style: TextStyle = .plain, isVerbose: Bool = false) -> String {
        var text = TextBuilder(style: style)
        if !report.scenarios.isEmpty { addScenarios(report.scenarios, isVerbose: isVerbose, to: &text) }
        if let fetches = report.fetches { addFetches(fetches, to: &text) }
        if report.figures.attestations + report.figures.malformed > 0, !report.isOfFetchesAlone {
            addUnjudged(report.figures, to: &text)
            addTotals(report.figures, to: &text)
            // What made devices of many scenarios fail, taken together, explains none of them.
            let explains = report.scenarios.count <= 1 || isVerbose
            if explains {
                addRejections(report.figures, to: &text)
                addFilters(report.figures, to: &text)
            }
            addUnknownFlags(report.figures, to: &text)
            addLifetimes(report.figures, to: &text)
            if explains {
                addApps(report.figures, to: &text)
                addPolicies(report.figures, to: &text)
            }
        }
        if let coverage = report.coverage { addCoverage(coverage, to: &text) }
        return text.finished
    }

    private static func addCoverage(_ coverage: Coverage, to text: inout TextBuilder) {
        text.heading("Coverage")
        let rows = coverage.shares.map { share in
            [share.kind.rawValue, share.covered.grouped, share.total.grouped, share.covered.share(of: share.total)]
        }
        let all = ["all", coverage.covered.grouped, coverage.total.grouped, coverage.covered.share(of: coverage.total)]
        text.table([["", "exercised", "of", ""]] + rows + [all])
        for share in coverage.shares where !share.missing.isEmpty {
            text.heading("Not exercised: \(share.kind.rawValue)")
            for name in share.missing.prefix(TextBuilder.rankingLimit) { text.line("  \(name.showingControls())") }
            text.more(share.missing.count)
        }
    }

    private static func addScenarios(_ scenarios: [ScenarioResult], isVerbose: Bool, to text: inout TextBuilder) {
        text.heading("Scenarios")
        let width = scenarios.map { $0.name.showingControls().count }.max() ?? 0
        for scenario in scenarios {
            let held = scenario.expectations.count { $0.passed }
            let verdict = scenario.passed ? text.style.good("pass") : text.style.bad("FAIL")
            let counts = "\(held)/\(scenario.expectations.count) expectations"
            let fetches = "\(scenario.fetches.total.grouped) fetches, \(scenario.fetches.attested.grouped) attested"
            text.line("  \(verdict)  \(scenario.name.showingControls().padded(to: width))  \(counts), \(fetches)")
            if isVerbose { for line in scenario.log { addLog(line, to: &text) } }
            for failure in scenario.expectations where !failure.passed { add(failure, to: &text) }
        }
        let passed = scenarios.count { $0.passed }
        text.blank()
        let summary = "\(passed.grouped) of \(scenarios.count.grouped) scenarios passed"
        text.line("  " + (passed == scenarios.count ? text.style.good(summary) : text.style.bad(summary)))
    }

    // What commands print may be several lines, and hold tabs.
    private static func addLog(_ entry: String, to text: inout TextBuilder) {
        for line in entry.split(separator: "\n", omittingEmptySubsequences: false) {
            text.line("          " + String(line).showingControls(keepingTabs: true))
        }
    }

    private static func add(_ failure: ExpectationResult, to text: inout TextBuilder) {
        let place = "\(failure.file):\(failure.position)"
        text.line("        " + "\(place): \(failure.message)".showingControls())
        text.line("          expected: " + failure.expected.showingControls())
        text.line("          actual:   " + failure.actual.showingControls())
    }

    private static func addFetches(_ fetches: FetchFigures, to text: inout TextBuilder) {
        text.heading("Fetches")
        var rows = [["fetches", fetches.total.grouped], ["devices", fetches.devices.grouped]]
        if let span = fetches.span {
            rows.append(["first", span.lowerBound.description])
            rows.append(["last", span.upperBound.description])
        }
        if let weights = fetches.weights {
            for (name, count) in [
                ("by devices that passed", weights.passed), ("by devices that failed", weights.failed),
                ("by devices not captured", weights.unknown),
            ] { rows.append([name, count.grouped, count.share(of: fetches.total)]) }
        }
        if fetches.malformed > 0 { rows.append(["malformed lines left out", fetches.malformed.grouped]) }
        text.table(rows)
        guard !fetches.most.isEmpty else { return }
        text.heading("Devices that fetch most")
        let devices = fetches.most.map { device in
            let verdict = device.passed.map { $0 ? "passed" : "failed" } ?? "not captured"
            return [device.id.description, device.fetches.grouped, device.fetches.share(of: fetches.total)]
                + (fetches.weights == nil ? [] : [verdict])
        }
        text.table(devices)
    }

    private static func addTotals(_ figures: Figures, to text: inout TextBuilder) {
        text.heading("Attestations")
        let all = figures.attestations
        let (passed, failed) = (figures.metrics[.pass] ?? 0, figures.metrics[.fail] ?? 0)
        var rows = [
            ["attestations", all.grouped, ""], ["passed", passed.grouped, passed.share(of: all)],
            ["failed", failed.grouped, failed.share(of: all)],
        ]
        if figures.malformed > 0 { rows.append(["malformed, left out", figures.malformed.grouped, ""]) }
        rows.append(["devices", figures.devices.unique.grouped, ""])
        rows.append(["new devices", figures.devices.new.grouped, figures.devices.new.share(of: figures.devices.unique)])
        if figures.devices.banned > 0 {
            let banned = figures.devices.banned
            rows.append(["banned devices", banned.grouped, banned.share(of: figures.devices.unique)])
        }
        rows.append(["devices billed", figures.billing.grouped, ""])
        if let reproduced = figures.reproduced {
            let (agreed, compared) = (reproduced.agreed, reproduced.compared)
            rows.append(["captured verdicts", compared.grouped, ""])
            rows.append(["  of which this account reproduces", agreed.grouped, agreed.share(of: compared)])
        }
        text.table(rows)
    }

    private static func addRejections(_ figures: Figures, to text: inout TextBuilder) {
        let causes = figures.metrics.compactMap { metric, count in
            if case .rejection(let rejection) = metric { (rejection.name, count) } else { nil }
        }
        let failed = figures.metrics[.fail] ?? 0
        addRanking("Why attestations fail", causes, of: failed, to: &text)
    }

    // Said before what was counted.
    private static func addUnjudged(_ figures: Figures, to text: inout TextBuilder) {
        let (out, all) = (figures.unjudged.devices, figures.devices.unique)
        guard out > 0 else { return }
        if !text.isEmpty { text.blank() }
        text.line(
            text.style.strong(
                "\(out.grouped) of \(all.grouped) devices (\(out.share(of: all))) are not judged: "
                    + NewDeviceDoubt.reason))
    }

    private static func addUnknownFlags(_ figures: Figures, to text: inout TextBuilder) {
        addRanking(
            "Flags that no policy knows", figures.unknownFlags.map { ($0.key, $0.value) }, of: figures.attestations,
            to: &text)
    }

    private static func addFilters(_ figures: Figures, to text: inout TextBuilder) {
        guard !figures.filters.isEmpty else { return }
        text.heading("Filters")
        let header = ["filter", "matched", "share", "devices"]
        let rows = figures.filters.map { filter in
            [
                filter.name, filter.matched.grouped, filter.matched.share(of: figures.attestations),
                filter.devices.grouped,
            ]
        }
        text.table([header] + rows)
    }

    private static func addLifetimes(_ figures: Figures, to text: inout TextBuilder) {
        text.heading("Token lifetimes")
        text.table(
            figures.lifetimes.sorted { $0.key > $1.key }.map {
                ["\($0.key) s", $0.value.grouped, $0.value.share(of: figures.attestations)]
            }
        )
    }

    private static func addApps(_ figures: Figures, to text: inout TextBuilder) {
        func figure(passed: Bool) -> WritableKeyPath<VerdictCounts, Int> { passed ? \.passed : \.failed }
        var (apps, versions): ([ExactText: VerdictCounts], [ExactText: VerdictCounts]) = ([:], [:])
        for (metric, count) in figures.metrics {
            switch metric {
            case .app(let app, let passed):
                apps[app, default: VerdictCounts()][keyPath: figure(passed: passed)] = count
            case .version(let version, let passed):
                versions[version, default: VerdictCounts()][keyPath: figure(passed: passed)] = count
            default: continue
            }
        }
        for (title, counts) in [("Apps", apps), ("App versions", versions)] where !counts.isEmpty {
            text.heading(title)
            let ranked = counts.sorted { ($1.value.total, $0.key) < ($0.value.total, $1.key) }
            let rows = ranked.prefix(TextBuilder.rankingLimit).map { name, verdicts in
                [
                    name.text, verdicts.total.grouped, verdicts.passed.grouped, verdicts.failed.grouped,
                    verdicts.failed.share(of: verdicts.total),
                ]
            }
            text.table([["", "attestations", "passed", "failed", "failing"]] + rows)
            text.more(ranked.count)
        }
    }

    private static func addPolicies(_ figures: Figures, to text: inout TextBuilder) {
        addRanking("Policies applied", figures.policies.map { ($0.key, $0.value) }, of: figures.attestations, to: &text)
    }

    private static func addRanking(
        _ title: String, _ entries: [(String, Int)], of total: Int, to text: inout TextBuilder
    ) {
        guard !entries.isEmpty else { return }
        text.heading(title)
        let ranked = entries.sorted { ($1.1, ExactText($0.0)) < ($0.1, ExactText($1.0)) }
        text.table(ranked.prefix(TextBuilder.rankingLimit).map { [$0.0, $0.1.grouped, $0.1.share(of: total)] })
        text.more(ranked.count)
    }
}
