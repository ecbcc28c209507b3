internal import Documents
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// Writes a report as JSON on one line (formats: Report).
package enum JSONReport {
    /// The report as bytes, newline included; equal reports give equal bytes.
    package static func bytes(of report: Report) -> [UInt8] {
        var output = JSONBytes()
        value(of: report).write(to: &output)
        return output.bytes + [UInt8(ascii: "\n")]
    }

    /// The report as a JSON value.
    static func value(of report: Report) -> JSONValue {
        let figures = report.figures
        var members: [(key: String, value: JSONValue)] = [
            ("version", .integer(1)), ("summary", summary(of: report)),
            ("scenarios", .array(report.scenarios.map(scenario))),
            ("metrics", .sorted(counts(figures.metrics))),
            ("lifetimes", lifetimes(figures)), ("devices", devices(figures)), ("windows", windows(figures)),
            ("filters", .array(figures.filters.map(filter))), ("reproduced", reproduced(figures)),
            ("policies", .counts(figures.policies)), ("billing", .integer(figures.billing)),
            ("judged", evaluated(figures.unevaluated)), ("unknown-flags", .counts(figures.unknownFlags)),
        ]
        if let fetches = report.fetches { members.append(("fetches", self.fetches(fetches))) }
        if let frequencies = figures.frequencies { members.append(("values", JSONFrequencies.value(of: frequencies))) }
        if let coverage = report.coverage { members.append(("coverage", self.coverage(coverage))) }
        if let mutants = report.mutants { members.append(("mutants", JSONMutants.value(of: mutants))) }
        if let leftOut = report.leftOut { members.append(("left-out", .array(leftOut.map(self.leftOut)))) }
        if let series = figures.series { members.append(("series", .array(series.inOrder.map(minute)))) }
        return .ordered(members)
    }

    private static func leftOut(_ scenario: LeftOutScenario) -> JSONValue {
        .sorted([
            "name": .string(scenario.name), "file": .string(scenario.file), "reason": .string(scenario.reason),
        ])
    }

    private static func minute(_ minute: MetricSeries.Minute) -> JSONValue {
        var members = counts(minute.metrics)
        members["minute"] = .string(minute.start.description)
        return .sorted(members)
    }

    private static func counts(_ counts: [Metric: Int]) -> [ExactText: JSONValue] {
        Dictionary(uniqueKeysWithValues: counts.map { (ExactText($0.key.name), .integer($0.value)) })
    }

    private static func summary(of report: Report) -> JSONValue {
        let passed = report.scenarios.count { $0.passed }
        return .sorted([
            "attestations": .integer(report.figures.attestations), "malformed": .integer(report.figures.malformed),
            "scenarios": .integer(report.scenarios.count), "passed": .integer(passed),
            "failed": .integer(report.scenarios.count - passed),
        ])
    }

    private static func scenario(_ result: ScenarioResult) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "name": .string(result.name), "file": .string(result.file), "passed": .boolean(result.passed),
            "expectations": .array(result.expectations.map(expectation)),
        ]
        if !result.requests.isEmpty { members["requests"] = .array(result.requests.map(requests)) }
        return .sorted(members)
    }

    // R19.5.
    private static func requests(_ figures: RequestFigures) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "group": .string(figures.group), "blocked-devices": .integer(figures.blockedDevices),
            "still-blocked": .integer(figures.stillBlocked),
            "longest-blocked": figures.longestBlocked.map { .integer($0) } ?? .null,
        ]
        for outcome in RequestOutcome.allCases { members[ExactText(outcome.rawValue)] = .integer(figures[outcome]) }
        return .sorted(members)
    }

    private static func expectation(_ result: ExpectationResult) -> JSONValue {
        .sorted([
            "file": .string(result.file), "line": .integer(result.position.line),
            "column": .integer(result.position.column), "passed": .boolean(result.passed),
            "expected": .string(result.expected), "actual": .string(result.actual),
            "message": .string(result.message),
        ])
    }

    private static func lifetimes(_ figures: Figures) -> JSONValue {
        .sorted(
            Dictionary(uniqueKeysWithValues: figures.lifetimes.map { (ExactText("\($0.key)"), .integer($0.value)) }))
    }

    private static func devices(_ figures: Figures) -> JSONValue {
        .sorted([
            "unique": .integer(figures.devices.unique), "new": .integer(figures.devices.new),
            "banned": .integer(figures.devices.banned),
        ])
    }

    private static func windows(_ figures: Figures) -> JSONValue {
        .sorted(
            Dictionary(
                uniqueKeysWithValues: WindowKind.allCases.map { kind in
                    (ExactText(kind.rawValue), .array((figures.windows[kind] ?? []).map(window)))
                }
            )
        )
    }

    private static func window(_ window: Figures.Window) -> JSONValue {
        var members = counts(window.counts)
        members["start"] = .string(window.start.description)
        members["pass"] = .integer(window.passed)
        members["fail"] = .integer(window.failed)
        return .sorted(members)
    }

    private static func filter(_ filter: Figures.FilterFigures) -> JSONValue {
        .sorted([
            "name": .string(filter.name), "matched": .integer(filter.matched), "devices": .integer(filter.devices),
            "match-limit-hits": .integer(filter.limitHits),
        ])
    }

    private static func reproduced(_ figures: Figures) -> JSONValue {
        guard let reproduced = figures.reproduced else { return .null }
        return .sorted(["compared": .integer(reproduced.compared), "agreed": .integer(reproduced.agreed)])
    }

    /// The unjudged devices: `{"exact":true,"unjudged":{"devices":0,"reasons":{}}}` if there are none.
    static func evaluated(_ unevaluated: Figures.Unevaluated, isExact: Bool = true) -> JSONValue {
        .sorted([
            "exact": .boolean(isExact && unevaluated.devices == 0),
            "unjudged": .sorted([
                "devices": .integer(unevaluated.devices), "reasons": .counts(unevaluated.reasons),
            ]),
        ])
    }

    private static func coverage(_ coverage: Coverage) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "covered": .integer(coverage.covered), "total": .integer(coverage.total),
        ]
        for share in coverage.shares {
            members[ExactText(share.kind.rawValue)] = .sorted([
                "covered": .integer(share.covered), "total": .integer(share.total),
                "missing": .array(share.missing.map { .string($0) }),
            ])
        }
        return .sorted(members)
    }

    private static func fetches(_ fetches: FetchFigures) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "total": .integer(fetches.total), "devices": .integer(fetches.devices),
            "malformed": .integer(fetches.malformed),
            "most": .array(
                fetches.most.map {
                    .sorted([
                        "device": .string($0.id.description), "fetches": .integer($0.fetches),
                        "verdict": $0.passed.map { .string($0 ? "pass" : "fail") } ?? .null,
                    ])
                }
            ),
        ]
        if let span = fetches.span {
            members["first"] = .string(span.lowerBound.description)
            members["last"] = .string(span.upperBound.description)
        }
        if let weights = fetches.weights {
            members["weights"] = .sorted([
                "pass": .integer(weights.passed), "fail": .integer(weights.failed),
                "unknown": .integer(weights.unknown),
            ])
        }
        return .sorted(members)
    }
}

extension JSONValue {
    /// Counts by name, in the order of the names' bytes.
    static func counts(_ counts: NamedCounts) -> JSONValue {
        .ordered(counts.map { ($0.key, .integer($0.value)) })
    }
}
