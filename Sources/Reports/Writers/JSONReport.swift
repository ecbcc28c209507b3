internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

/// Writes a report as JSON on one line (formats: Report).
package enum JSONReport {
    /// The report as bytes, newline included; equal reports give equal bytes.
    package static func bytes(of report: Report, _ origin: ReportOrigin = ReportOrigin()) -> [UInt8] {
        value(of: report, origin).line
    }

    /// The report as a JSON value.
    static func value(of report: Report, _ origin: ReportOrigin = ReportOrigin()) -> JSONValue {
        let figures = report.figures
        var members: [(key: String, value: JSONValue)] = [
            ("version", .integer(1)), ("summary", summary(of: report)),
            ("scenarios", .array(report.scenarios.map { scenario($0, of: report) })),
            ("metrics", figures.metrics.reported), ("lifetimes", figures.lifetimes.reported),
            ("devices", figures.devices.reported), ("windows", JSONWindows.value(of: figures.windows)),
            ("filters", figures.filters.reported), ("reproduced", figures.reproduced.reported),
            ("policies", figures.policies.reported), ("billing", .integer(figures.billing)),
            ("judged", evaluated(figures.unevaluated)), ("unknown-flags", figures.unknownFlags.reported),
        ]
        if let fetches = report.fetches { members.append(("fetches", fetches.reported)) }
        if let frequencies = figures.frequencies { members.append(("values", JSONFrequencies.value(of: frequencies))) }
        if let labels = figures.labels {
            members.append(
                ("labels", JSONLabels.value(of: labels, cost: report.labelCost, at: report.confidence ?? .usual)))
        }
        if let coverage = report.coverage { members.append(("coverage", self.coverage(coverage))) }
        if let mutants = report.mutants { members.append(("mutants", JSONMutants.value(of: mutants))) }
        if let leftOut = report.leftOut { members.append(("left-out", .array(leftOut.map(self.leftOut)))) }
        if let series = figures.series { members.append(("series", .array(series.inOrder.map(minute)))) }
        if let intervals = report.intervals { members.append(("intervals", intervals.value)) }
        if let explanation = report.explanation(origin) { members.append(("explain", .string(explanation))) }
        return .ordered(members)
    }

    private static func leftOut(_ scenario: LeftOutScenario) -> JSONValue {
        .sorted([
            "name": .string(scenario.name), "file": .string(scenario.file), "reason": .string(scenario.reason),
        ])
    }

    private static func minute(_ minute: MetricSeries.Minute) -> JSONValue {
        var members = minute.metrics.reportedMembers()
        members["minute"] = .string(minute.start.description)
        return .sorted(members)
    }

    private static func summary(of report: Report) -> JSONValue {
        let metrics = report.figures.metrics
        let attested = (passed: metrics[.pass] ?? 0, failed: metrics[.fail] ?? 0)
        let passed = report.scenarios.count { $0.passed }
        let run = (passed: passed, failed: report.scenarios.count - passed)
        // A replay has no scenarios.
        let (passes, failures) = report.isOfScenarios ? run : attested
        return .sorted([
            "attestations": .integer(report.figures.attestations), "malformed": .integer(report.figures.malformed),
            "attestations-passed": .integer(attested.passed), "attestations-failed": .integer(attested.failed),
            "scenarios": .integer(report.scenarios.count), "scenarios-passed": .integer(run.passed),
            "scenarios-failed": .integer(run.failed), "passed": .integer(passes), "failed": .integer(failures),
        ])
    }

    private static func scenario(_ result: ScenarioResult, of report: Report) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "name": .string(result.name), "file": .string(result.file), "passed": .boolean(result.passed),
            "expectations": .array(result.expectations.map { expectation($0, of: report) }),
        ]
        if !result.requests.isEmpty { members["requests"] = .array(result.requests.map(requests)) }
        return .sorted(members)
    }

    // R19.5.
    private static func requests(_ figures: RequestFigures) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "group": .string(figures.group), "blocked-devices": .integer(figures.blockedDevices),
            "still-blocked": .integer(figures.stillBlocked),
            "longest-blocked": figures.longestBlocked.reported,
        ]
        for outcome in RequestOutcome.allCases { members[ExactText(outcome.rawValue)] = .integer(figures[outcome]) }
        return .sorted(members)
    }

    private static func expectation(_ result: ExpectationResult, of report: Report) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "file": .string(result.file), "line": .integer(result.position.line),
            "column": .integer(result.position.column), "passed": .boolean(result.passed),
            "expected": .string(result.expected), "actual": .string(result.actual),
            "message": .string(result.message),
        ]
        if !result.passed {
            members["rejections"] = result.rejections.map { .string($0) } ?? .null
            members["explain"] = report.explanation(of: result).map { .string($0) } ?? .null
        }
        return .sorted(members)
    }

    /// The devices that were not evaluated: `{"exact":true,"unjudged":{"devices":0,"reasons":{}}}` if there are none.
    static func evaluated(_ unevaluated: Figures.Unevaluated, isExact: Bool = true) -> JSONValue {
        .sorted([
            "exact": .boolean(isExact && unevaluated.devices == 0),
            "unjudged": unevaluated.reported,
        ])
    }

    private static func coverage(_ coverage: Coverage) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "covered": .integer(coverage.covered), "total": .integer(coverage.total),
        ]
        for share in coverage.shares {
            members[ExactText(share.kind.rawValue)] = .sorted([
                "covered": .integer(share.covered), "total": .integer(share.total),
                "missing": share.missing.reported,
            ])
        }
        return .sorted(members)
    }
}
