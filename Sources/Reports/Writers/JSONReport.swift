internal import Documents
internal import Figures
package import PolicyEngine
internal import Scenarios

/// Writes a report as JSON on one line (formats: Report).
package enum JSONReport {
    /// The report as bytes, newline included; equal reports give equal bytes.
    package static func bytes(of report: Report, _ origin: ReportOrigin = ReportOrigin()) -> [UInt8] {
        columns.value(of: (report, origin)).line
    }

    static let columns = Columns<(report: Report, origin: ReportOrigin)>(inOrder: [
        .version, .object("summary", "The sums.", summary) { $0.report },
        .list("scenarios", "The scenarios that were run; none for a replay.", scenario) { subject in
            subject.report.scenarios.map { ($0, subject.report) }
        },
        .field("metrics", "The metrics by name.") { $0.report.figures.metrics },
        .field("lifetimes", "Tokens by their lifetime in seconds.") { $0.report.figures.lifetimes },
        .field("devices", "Unique devices.") { $0.report.figures.devices },
        .value("windows", "Unique devices by hour, day and billing month.", JSONWindows.schema) {
            JSONWindows.value(of: $0.report.figures.windows)
        },
        .field("filters", "The filters, in the order of the account.") { $0.report.figures.filters },
        .field("reproduced", "The captured verdicts that the account gives again; null where no record has one.") {
            $0.report.figures.reproduced
        },
        .field("policies", "Attestations by the security policy that was applied.") { $0.report.figures.policies },
        .field("billing", "Devices that are billed: those that passed in the billing month in which most did.") {
            $0.report.figures.billing
        },
        .object("judged", "Whether all devices were evaluated.", evaluated) { ($0.report.figures.unevaluated, true) },
        .field("unknown-flags", "Attestations by flags that no policy knows.") { $0.report.figures.unknownFlags },
        .optional("fetches", "How often devices fetch tokens.") { $0.report.fetches },
        .optional("values", "The values of attributes, by frequency.", .list(of: JSONFrequencies.columns.schema)) {
            $0.report.figures.frequencies.map(JSONFrequencies.columns.list)
        },
        .optional("labels", "The verdicts on labelled devices.", LabelReport.ofAccount) { subject in
            subject.report.figures.labels.map {
                LabelReport(figures: $0, cost: subject.report.labelCost, level: subject.report.confidence)
            }
        },
        .optional("coverage", "The exercised parts of the rules and of the accounts.", coverageSchema) {
            $0.report.coverage.map(coverage)
        },
        .optional("mutants", "The changes of accounts that expectations notice.", mutants) { $0.report.mutants },
        .optional(
            "left-out", "Scenarios that were left out, since the change does not affect them.",
            .list(of: leftOut.schema)
        ) { $0.report.leftOut.map(leftOut.list) },
        .optional("series", "The metrics of every minute.", .list(of: minuteSchema)) {
            ($0.report.figures.series?.inOrder.map(minute)).map { .array($0) }
        },
        .optional(
            "intervals", "The figures of the devices of the captures, with the intervals for all devices.",
            Report.intervalSchema
        ) { $0.report.intervals?.value },
        .optional("explain", "The command that explains a device, up to the device.") {
            $0.report.explanation($0.origin)
        }, .narrowed(\.report.narrowed),
    ])

    private static let summary = Columns<Report>(byName: [
        .field("attestations", "All attestations.") { $0.figures.attestations },
        .field("attestations-passed", "Attestations that passed.") { $0.attested.passed },
        .field("attestations-failed", "Attestations that failed.") { $0.attested.failed },
        .field("malformed", "Malformed records, which are left out.") { $0.figures.malformed },
        .field("scenarios", "All scenarios.") { $0.scenarios.count },
        .field("scenarios-passed", "Scenarios all of whose expectations hold.") { $0.run.passed },
        .field("scenarios-failed", "The other scenarios.") { $0.run.failed },
        // A replay has no scenarios.
        .field("passed", "Scenarios that passed; of a replay, attestations.") {
            $0.isOfScenarios ? $0.run.passed : $0.attested.passed
        },
        .field("failed", "Scenarios that failed; of a replay, attestations.") {
            $0.isOfScenarios ? $0.run.failed : $0.attested.failed
        },
    ])

    private static let scenario = Columns<(result: ScenarioResult, report: Report)>(byName: [
        .field("name", "The name of the scenario.") { $0.result.name },
        .field("file", "The file of the scenario.") { $0.result.file },
        .field("passed", "True if all expectations hold.") { $0.result.passed },
        .list("expectations", "The expectations, in the order in which they were checked.", expectation) { subject in
            subject.result.expectations.map { ($0, subject.report) }
        },
        .optional("requests", "The results of requests, by the group of devices.", .list(of: requests.schema)) {
            $0.result.requests.isEmpty ? nil : requests.list(of: $0.result.requests)
        },
    ])

    private static let expectation = Columns<(result: ExpectationResult, report: Report)>(byName: [
        .field("file", "The file of the expectation.") { $0.result.file },
        .field("line", "The line of the expectation, from 1.") { $0.result.position.line },
        .field("column", "The column of the expectation, from 1.") { $0.result.position.column },
        .field("passed", "True if it holds.") { $0.result.passed },
        .field("expected", "What was expected.") { $0.result.expected },
        .field("actual", "What happened.") { $0.result.actual },
        .field("message", "What the expectation is of.") { $0.result.message },
        .optional("rejections", "What rejects the fetches; null where nothing does.") {
            $0.result.passed ? nil : .some($0.result.rejections)
        },
        .optional("explain", "The command that explains the devices; null where none does.") {
            $0.result.passed ? nil : .some($0.report.explanation(of: $0.result))
        },
    ])

    // R19.5.
    private static let requests = Columns<RequestFigures>(
        byName: [
            .field("group", "The group of devices.", \.group),
            .field("blocked-devices", "Devices of which a request was blocked.", \.blockedDevices),
            .field("still-blocked", "Devices whose last request was blocked.", \.stillBlocked),
            .field(
                "longest-blocked", "The longest time in seconds that a device was blocked; null where none was.",
                \.longestBlocked),
        ]
            + RequestOutcome.allCases.map { outcome in
                .field(outcome.rawValue, "Requests that ended so.") { $0[outcome] }
            })

    /// The devices that were not evaluated: `{"exact":true,"unjudged":{"devices":0,"reasons":{}}}` if there are none.
    static let evaluated = Columns<(unevaluated: Figures.Unevaluated, isExact: Bool)>(byName: [
        .field("exact", "True if no device is left out of any figure.") {
            $0.isExact && $0.unevaluated.devices + $0.unevaluated.leftOut == 0
        },
        .field("unjudged", "Devices that were not evaluated.") { $0.unevaluated },
    ])

    private static let leftOut = Columns<LeftOutScenario>(byName: [
        .field("name", "The name of the scenario.", \.name), .field("file", "The file of the scenario.", \.file),
        .field("reason", "Why the change does not affect it.", \.reason),
    ])

    /// The changes of accounts that are noticed, and those that are not.
    private static let mutants = Columns<MutationReport>(byName: [
        .field("noticed", "Changes that an expectation notices.", \.noticed),
        .field("effective", "Changes that have an effect on clients.", \.effective),
        .field("idle", "Changes without an effect on clients.", \.idle),
        .list("unnoticed", "Changes that no expectation notices though they have an effect.", unnoticed, \.unnoticed),
    ])

    private static let unnoticed = Columns<(mutant: MutationReport.Mutant, gap: MutationReport.Gap)>(byName: [
        .field("account-file", "The file of the account.") { $0.mutant.file },
        .field("account", "The name of the account.") { $0.mutant.account },
        .field("change", "The management command that makes the change.") { $0.mutant.change },
        .field("file", "The file in which an expectation is missing.") { $0.gap.file },
        .field("line", "The line of the step with the first difference, from 1.") { $0.gap.position.line },
        .field("column", "The column of that step, from 1.") { $0.gap.position.column },
        .field("difference", "What differs there.") { $0.gap.difference },
    ])

    private static let minuteSchema = JSONSchema.members(
        [
            ("minute", .time.described(as: "The start of the minute.")),
            ("pass", .wholeNumber.described(as: "Attestations that passed.")),
            ("fail", .wholeNumber.described(as: "Attestations that failed.")),
        ], others: .wholeNumber)

    private static func minute(_ minute: MetricSeries.Minute) -> JSONValue {
        .sorted(minute.metrics.reportedMembers().merging(["minute": minute.start.reported]) { $1 })
    }

    // The parts that are counted have names of their own.
    private static let coverageSchema = coverageHead.schema(others: covered.schema)

    private static let coverageHead = Columns<Coverage>(byName: [
        .field("covered", "Exercised parts.", \.covered), .field("total", "All parts.", \.total),
    ])

    private static let covered = Columns<Coverage.Share>(byName: [
        .field("covered", "Exercised parts of the kind.", \.covered),
        .field("total", "All parts of the kind.", \.total),
        .field("missing", "The parts that are not exercised.", \.missing),
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
        WindowKind.allCases.map { kind in
            (
                kind.rawValue,
                [Figures.Window].reportedForm.described(as: "The \(kind.rawValue) windows, in the order of time.")
            )
        })

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
    static let columns = Columns<AttributeFrequency>(byName: [
        .field("attribute", "The attribute.", \.attribute), .field("exact", "True if the counts are exact.", \.isExact),
        .field("present", "Attestations that have the attribute.", \.present),
        .field("absent", "Attestations that lack it.", \.absent),
        .field("different", "Different values; null where there are more than were kept.", \.different),
        .field("others-at-most", "The greatest number of attestations of a value that is not shown.", \.restAtMost),
        .list("values", "The commonest values, the commonest first.", value, \.commonest),
    ])

    private static let value = Columns<AttributeFrequency.Value>(byName: [
        .field("value", "The value.", \.text), .field("attestations", "Attestations with the value.", \.attestations),
        .field("failed", "Those of them that failed.", \.failed),
        .field("devices", "Devices that showed it.", \.devices),
        .field("missed-at-most", "The greatest number of attestations that are not counted.", \.missed),
        .field("missed-devices-at-most", "The greatest number of devices that are not counted.", \.missedDevices),
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

    static let presets = Columns<FlagCatalogue>(inOrder: [
        .version,
        .list("presets", "The presets of the rejection policy.", preset) { catalogue in
            RejectionPreset.allCases.map { (RejectionPolicy(preset: $0), catalogue) }
        },
    ])

    private static let preset = Columns<(policy: RejectionPolicy, catalogue: FlagCatalogue)>(byName: [
        .field("name", "The name of the preset.") { $0.policy.name },
        .field("summary", "What it is for, in a sentence.") { $0.policy.base.summary },
        .value("flags", "The effect on each flag.", effects) { flags($0.policy, $0.catalogue) },
    ])

    static let policy = Columns<(policy: SecurityPolicy, catalogue: FlagCatalogue)>(inOrder: [
        .version, .field("policy", "The policy.") { $0.policy.description },
        .field("rules", "The rules that it needs.") { "\($0.policy.rules)" },
        .field("rejection", "The rejection policy.") { $0.policy.rejection.name },
        .field("annotation", "The annotation policy.") { $0.policy.annotation.text },
        .value("flags", "The effect on each flag.", effects) { flags($0.policy.rejection, $0.catalogue) },
    ])

    static let difference = Columns<(before: SecurityPolicy, after: SecurityPolicy, difference: PolicyDifference)>(
        inOrder: [
            .version, .field("before", "The first policy.") { $0.before.description },
            .field("after", "The second policy.") { $0.after.description },
            .field("flags", "The flags that they treat differently.") { $0.difference.flags },
            .field("others", "The other differences, in sentences.") { $0.difference.others },
        ])

    private static let effects = JSONSchema.map(of: .string)

    private static func flags(_ policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> JSONValue {
        .ordered(catalogue.declaredFlags.map { ($0.name, .string(policy.status(of: $0.flag).rawValue)) })
    }
}
