internal import Documents
internal import Figures
package import PolicyEngine
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

/// Writes the counts of windows as JSON. Most windows have the same metrics, so the names of all are put in order once.
struct JSONWindows {
    // In the order of their bytes.
    private let names: [ExactText]
    private let places: [ExactText: Int]
    private let metricPlaces: [Metric: Int]

    /// The windows of each kind, in the order of time.
    static func value(of windows: [WindowKind: [Figures.Window]]) -> JSONValue {
        let writer = JSONWindows(windows.values.joined())
        return .sorted(
            Dictionary(
                uniqueKeysWithValues: WindowKind.allCases.map { kind in
                    (ExactText(kind.rawValue), writer.list(windows[kind] ?? []))
                }))
    }

    private init(_ windows: some Sequence<Figures.Window>) {
        var metrics: [Metric: ExactText] = [:]
        var names: Set<ExactText> = []
        for window in windows {
            for metric in window.counts.keys where metrics[metric] == nil { metrics[metric] = ExactText(metric.name) }
            if names.isEmpty { names.formUnion(window.reportedMembers(.attestations).keys) }
        }
        self.names = names.union(metrics.values).sorted()
        let places = Dictionary(uniqueKeysWithValues: zip(self.names, self.names.indices))
        self.places = places
        metricPlaces = metrics.compactMapValues { places[$0] }
    }

    private func list(_ windows: [Figures.Window]) -> JSONValue {
        var list = JSONBytes()
        list.raw("[")
        for (index, window) in windows.enumerated() {
            list.raw(index == 0 ? "{" : ",{")
            for (index, member) in members(of: window).enumerated() {
                if index > 0 { list.raw(",") }
                list.string(names[member.place].text)
                list.raw(":")
                member.value.write(to: &list)
            }
            list.raw("}")
        }
        list.raw("]")
        return .written(list)
    }

    private func members(of window: Figures.Window) -> [(place: Int, value: JSONValue)] {
        let fields = window.reportedMembers(.attestations).compactMap { name, value in
            places[name].map { (place: $0, value: value) }
        }
        let counts = window.counts.compactMap { metric, count in
            metricPlaces[metric].map { (place: $0, value: JSONValue.integer(count)) }
        }
        return (fields + counts).sorted { $0.place < $1.place }
    }
}

/// Writes how often attributes have their values, as JSON (formats: Values by frequency).
enum JSONFrequencies {
    /// The frequencies as a JSON value.
    static func value(of frequencies: [AttributeFrequency]) -> JSONValue { .array(frequencies.map(frequency)) }

    private static func frequency(_ frequency: AttributeFrequency) -> JSONValue {
        .sorted([
            "attribute": .string(frequency.attribute), "exact": .boolean(frequency.isExact),
            "present": .integer(frequency.present), "absent": .integer(frequency.absent),
            "different": frequency.different.map { .integer($0) } ?? .null,
            "others-at-most": .integer(frequency.restAtMost), "values": .array(frequency.commonest.map(value)),
        ])
    }

    private static func value(_ value: AttributeFrequency.Value) -> JSONValue {
        .sorted([
            "value": .string(value.text), "attestations": .integer(value.attestations),
            "failed": .integer(value.failed), "devices": .integer(value.devices),
            "missed-at-most": .integer(value.missed), "missed-devices-at-most": .integer(value.missedDevices),
        ])
    }
}

/// Writes which changes of accounts are noticed as JSON.
enum JSONMutants {
    /// `{"noticed":n,"effective":n,"idle":n,"unnoticed":[{"account-file":…,"account":…,"change":…,"file":…,"line":n,…}]}`.
    static func value(of report: MutationReport) -> JSONValue {
        .sorted([
            "noticed": .integer(report.noticed), "effective": .integer(report.effective),
            "idle": .integer(report.idle),
            "unnoticed": .array(
                report.unnoticed.map { mutant, gap in
                    .sorted([
                        "account-file": .string(mutant.file), "account": .string(mutant.account),
                        "change": .string(mutant.change), "file": .string(gap.file),
                        "line": .integer(gap.position.line), "column": .integer(gap.position.column),
                        "difference": .string(gap.difference),
                    ])
                }),
        ])
    }
}

/// Writes the effects of policies on flags as JSON on one line. The effect on a flag is `accepts`, `rejects` or `rejects
/// unless xposed`.
package enum JSONPolicy {
    /// The presets over the flags: `{"version":1,"presets":[{"name":…,"summary":…,"flags":{…}}]}`.
    ///
    /// - Parameter catalogue: The flags, those that an account declares with them.
    package static func bytes(ofPresetsOver catalogue: FlagCatalogue) -> [UInt8] {
        let presets = RejectionPreset.allCases.map { preset -> JSONValue in
            let policy = RejectionPolicy(preset: preset)
            return .sorted([
                "name": .string(policy.name), "summary": .string(policy.base.summary),
                "flags": flags(policy, catalogue),
            ])
        }
        return bytes(of: [("presets", .array(presets))])
    }

    /// One policy: `{"version":1,"policy":…,"rules":…,"rejection":…,"annotation":…,"flags":{…}}`.
    package static func bytes(of policy: SecurityPolicy, catalogue: FlagCatalogue) -> [UInt8] {
        bytes(of: [
            ("policy", .string(policy.description)), ("rules", .string("\(policy.rules)")),
            ("rejection", .string(policy.rejection.name)), ("annotation", .string(policy.annotation.text)),
            ("flags", flags(policy.rejection, catalogue)),
        ])
    }

    /// The difference of two policies:
    /// `{"version":1,"before":…,"after":…,"flags":[{"flag":…,"before":…,"after":…}],"others":[…]}`.
    package static func bytes(
        ofDifferenceBetween before: SecurityPolicy, and after: SecurityPolicy, catalogue: FlagCatalogue
    ) -> [UInt8] {
        let difference = PolicyDifference(before.rejection, of: catalogue, after.rejection, of: catalogue)
        return bytes(of: [
            ("before", .string(before.description)), ("after", .string(after.description)),
            ("flags", difference.flags.reported), ("others", difference.others.reported),
        ])
    }

    private static func bytes(of members: [(key: String, value: JSONValue)]) -> [UInt8] {
        JSONValue.ordered([("version", .integer(1))] + members).line
    }

    private static func flags(_ policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> JSONValue {
        .ordered(catalogue.declaredFlags.map { ($0.name, .string(policy.status(of: $0.flag).rawValue)) })
    }
}
