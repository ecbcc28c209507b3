internal import Documents
internal import Figures
package import PolicyEngine
internal import Scenarios

/// Writes a report as JSON on one line (formats: Report).
package enum JSONReport {
    /// The report as bytes, newline included; equal reports give equal bytes.
    package static func bytes(of report: Report, _ origin: ReportOrigin = ReportOrigin()) -> [UInt8] {
        form.value(of: (report, origin)).line
    }

    static let form = ObjectForm<(report: Report, origin: ReportOrigin)>(inOrder: [
        .version, .object("summary", summary) { $0.report },
        .list("scenarios", scenario) { subject in subject.report.scenarios.map { ($0, subject.report) } },
        .field("metrics") { $0.report.figures.metrics }, .field("lifetimes") { $0.report.figures.lifetimes },
        .field("devices") { $0.report.figures.devices },
        .value("windows", JSONWindows.schema) { JSONWindows.value(of: $0.report.figures.windows) },
        .field("filters") { $0.report.figures.filters }, .field("reproduced") { $0.report.figures.reproduced },
        .field("policies") { $0.report.figures.policies }, .field("billing") { $0.report.figures.billing },
        .object("judged", evaluated) { ($0.report.figures.unevaluated, true) },
        .field("unknown-flags") { $0.report.figures.unknownFlags }, .optional("fetches") { $0.report.fetches },
        .optional("values", .list(of: JSONFrequencies.form.schema)) {
            $0.report.figures.frequencies.map(JSONFrequencies.form.list)
        },
        .optional("labels", LabelledFigures.ofAccount) { subject in
            subject.report.figures.labels.map {
                LabelledFigures($0, cost: subject.report.labelCost, at: subject.report.confidence)
            }
        },
        .optional("coverage", coverageSchema) { $0.report.coverage.map(coverage) },
        .optional("mutants", mutants) { $0.report.mutants },
        .optional("left-out", .list(of: leftOut.schema)) { $0.report.leftOut.map(leftOut.list) },
        .optional("series", .list(of: minuteSchema)) {
            ($0.report.figures.series?.inOrder.map(minute)).map { .array($0) }
        },
        .optional("intervals", Intervals.schemaOfReplay) { $0.report.intervals?.value },
        .optional("explain") { $0.report.explanation($0.origin) }, .narrowed(\.report.narrowed),
    ])

    private static let summary = ObjectForm<Report>(byName: [
        .field("attestations") { $0.figures.attestations }, .field("attestations-passed") { $0.attested.passed },
        .field("attestations-failed") { $0.attested.failed }, .field("malformed") { $0.figures.malformed },
        .field("scenarios") { $0.scenarios.count }, .field("scenarios-passed") { $0.run.passed },
        .field("scenarios-failed") { $0.run.failed },
        // A replay has no scenarios.
        .field("passed") { $0.isOfScenarios ? $0.run.passed : $0.attested.passed },
        .field("failed") { $0.isOfScenarios ? $0.run.failed : $0.attested.failed },
    ])

    private static let scenario = ObjectForm<(result: ScenarioResult, report: Report)>(byName: [
        .field("name") { $0.result.name }, .field("file") { $0.result.file }, .field("passed") { $0.result.passed },
        .list("expectations", expectation) { subject in subject.result.expectations.map { ($0, subject.report) } },
        .optional("requests", .list(of: requests.schema)) {
            $0.result.requests.isEmpty ? nil : requests.list(of: $0.result.requests)
        },
    ])

    private static let expectation = ObjectForm<(result: ExpectationResult, report: Report)>(byName: [
        .field("file") { $0.result.file }, .field("line") { $0.result.position.line },
        .field("column") { $0.result.position.column }, .field("passed") { $0.result.passed },
        .field("expected") { $0.result.expected }, .field("actual") { $0.result.actual },
        .field("message") { $0.result.message },
        .optional("rejections") { $0.result.passed ? nil : .some($0.result.rejections) },
        .optional("explain") { $0.result.passed ? nil : .some($0.report.explanation(of: $0.result)) },
    ])

    // R19.5.
    private static let requests = ObjectForm<RequestFigures>(
        byName: [
            .field("group", \.group), .field("blocked-devices", \.blockedDevices),
            .field("still-blocked", \.stillBlocked), .field("longest-blocked", \.longestBlocked),
        ] + RequestOutcome.allCases.map { outcome in .field(outcome.rawValue) { $0[outcome] } })

    /// The devices that were not evaluated: `{"exact":true,"unjudged":{"devices":0,"reasons":{}}}` if there are none.
    static let evaluated = ObjectForm<(unevaluated: Figures.Unevaluated, isExact: Bool)>(byName: [
        .field("exact") { $0.isExact && $0.unevaluated.devices + $0.unevaluated.leftOut == 0 },
        .field("unjudged") { $0.unevaluated },
    ])

    private static let leftOut = ObjectForm<LeftOutScenario>(byName: [
        .field("name", \.name), .field("file", \.file), .field("reason", \.reason),
    ])

    /// The changes of accounts that are noticed, and those that are not.
    private static let mutants = ObjectForm<MutationReport>(byName: [
        .field("noticed", \.noticed), .field("effective", \.effective), .field("idle", \.idle),
        .list("unnoticed", unnoticed, \.unnoticed),
    ])

    private static let unnoticed = ObjectForm<(mutant: MutationReport.Mutant, gap: MutationReport.Gap)>(byName: [
        .field("account-file") { $0.mutant.file }, .field("account") { $0.mutant.account },
        .field("change") { $0.mutant.change }, .field("file") { $0.gap.file },
        .field("line") { $0.gap.position.line }, .field("column") { $0.gap.position.column },
        .field("difference") { $0.gap.difference },
    ])

    private static let minuteSchema = JSONSchema.members(
        [("minute", .time), ("pass", .wholeNumber), ("fail", .wholeNumber)], others: .wholeNumber)

    private static func minute(_ minute: MetricSeries.Minute) -> JSONValue {
        .sorted(minute.metrics.reportedMembers().merging(["minute": minute.start.reported]) { $1 })
    }

    // The parts that are counted have names of their own.
    private static let coverageSchema = coverageHead.schema(others: covered.schema)

    private static let coverageHead = ObjectForm<Coverage>(byName: [
        .field("covered", \.covered), .field("total", \.total),
    ])

    private static let covered = ObjectForm<Coverage.Share>(byName: [
        .field("covered", \.covered), .field("total", \.total), .field("missing", \.missing),
    ])

    private static func coverage(_ coverage: Coverage) -> JSONValue {
        let members =
            coverageHead.members(of: coverage) + coverage.shares.map { ($0.kind.rawValue, covered.value(of: $0)) }
        return .sorted(Dictionary(uniqueKeysWithValues: members.map { (ExactText($0.key), $0.value) }))
    }
}

extension Report {
    fileprivate var attested: (passed: Int, failed: Int) {
        (figures.metrics[.pass] ?? 0, figures.metrics[.fail] ?? 0)
    }

    fileprivate var run: (passed: Int, failed: Int) {
        let passed = scenarios.count { $0.passed }
        return (passed, scenarios.count - passed)
    }
}

/// Writes the counts of windows as JSON. Most windows have the same metrics, so the names of all are put in order once.
struct JSONWindows {
    // In the order of their bytes.
    private let names: [ExactText]
    private let places: [ExactText: Int]
    private let metricPlaces: [Metric: Int]

    static let schema = JSONSchema.members(
        WindowKind.allCases.map { ($0.rawValue, [Figures.Window].reportedForm) })

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

/// The frequencies of the values of attributes, as JSON (formats: Values by frequency).
enum JSONFrequencies {
    static let form = ObjectForm<AttributeFrequency>(byName: [
        .field("attribute", \.attribute), .field("exact", \.isExact), .field("present", \.present),
        .field("absent", \.absent), .field("different", \.different), .field("others-at-most", \.restAtMost),
        .list("values", value, \.commonest),
    ])

    private static let value = ObjectForm<AttributeFrequency.Value>(byName: [
        .field("value", \.text), .field("attestations", \.attestations), .field("failed", \.failed),
        .field("devices", \.devices), .field("missed-at-most", \.missed),
        .field("missed-devices-at-most", \.missedDevices),
    ])
}

/// Writes the effects of policies on flags as JSON on one line. The effect on a flag is `accepts`, `rejects` or `rejects
/// unless xposed`.
package enum JSONPolicy {
    /// The presets over the flags: `{"version":1,"presets":[{"name":…,"summary":…,"flags":{…}}]}`.
    ///
    /// - Parameter catalogue: The flags, those that an account declares with them.
    package static func bytes(ofPresetsOver catalogue: FlagCatalogue) -> [UInt8] {
        presets.value(of: catalogue).line
    }

    /// One policy: `{"version":1,"policy":…,"rules":…,"rejection":…,"annotation":…,"flags":{…}}`.
    package static func bytes(of policy: SecurityPolicy, catalogue: FlagCatalogue) -> [UInt8] {
        self.policy.value(of: (policy, catalogue)).line
    }

    /// The difference of two policies:
    /// `{"version":1,"before":…,"after":…,"flags":[{"flag":…,"before":…,"after":…}],"others":[…]}`.
    package static func bytes(
        ofDifferenceBetween before: SecurityPolicy, and after: SecurityPolicy, catalogue: FlagCatalogue
    ) -> [UInt8] {
        let difference = PolicyDifference(before.rejection, of: catalogue, after.rejection, of: catalogue)
        return self.difference.value(of: (before, after, difference)).line
    }

    static let presets = ObjectForm<FlagCatalogue>(inOrder: [
        .version,
        .list("presets", preset) { catalogue in
            RejectionPreset.allCases.map { (RejectionPolicy(preset: $0), catalogue) }
        },
    ])

    private static let preset = ObjectForm<(policy: RejectionPolicy, catalogue: FlagCatalogue)>(byName: [
        .field("name") { $0.policy.name }, .field("summary") { $0.policy.base.summary },
        .value("flags", effects) { flags($0.policy, $0.catalogue) },
    ])

    static let policy = ObjectForm<(policy: SecurityPolicy, catalogue: FlagCatalogue)>(inOrder: [
        .version, .field("policy") { $0.policy.description }, .field("rules") { "\($0.policy.rules)" },
        .field("rejection") { $0.policy.rejection.name }, .field("annotation") { $0.policy.annotation.text },
        .value("flags", effects) { flags($0.policy.rejection, $0.catalogue) },
    ])

    static let difference = ObjectForm<(before: SecurityPolicy, after: SecurityPolicy, difference: PolicyDifference)>(
        inOrder: [
            .version, .field("before") { $0.before.description }, .field("after") { $0.after.description },
            .field("flags") { $0.difference.flags }, .field("others") { $0.difference.others },
        ])

    private static let effects = JSONSchema.map(of: .string)

    private static func flags(_ policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> JSONValue {
        .ordered(catalogue.declaredFlags.map { ($0.name, .string(policy.status(of: $0.flag).rawValue)) })
    }
}
