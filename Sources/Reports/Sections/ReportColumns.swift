internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

// The report as JSON (formats: Report).
extension Report {
    /// The report as an object.
    ///
    /// - Parameter origin: The origin of the report.
    func json(_ origin: ReportOrigin = ReportOrigin()) -> JSONValue { Self.columns.value(of: (self, origin)) }

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
        .optionalList("values", "The values of attributes, by frequency.", AttributeFrequency.columns) {
            $0.report.figures.frequencies
        },
        .optional("labels", "The verdicts on labelled devices.", LabelReport.ofAccount) { subject in
            subject.report.figures.labels.map {
                LabelReport(figures: $0, cost: subject.report.labelCost, level: subject.report.confidence)
            }
        },
        .optional("coverage", "The exercised parts of the rules and of the accounts.", Coverage.schema) {
            $0.report.coverage?.json
        },
        .optional("mutants", "The changes of accounts that expectations notice.", MutationReport.columns) {
            $0.report.mutants
        },
        .optionalList(
            "left-out", "Scenarios that were left out, since the change does not affect them.", LeftOutScenario.columns
        ) {
            $0.report.leftOut
        },
        .optional("series", "The metrics of every minute.", .list(of: minuteSchema)) {
            ($0.report.figures.series?.inOrder.map(minute)).map { .array($0) }
        },
        .optional(
            "intervals", "The figures of the devices of the captures, with the intervals for all devices.",
            Report.intervalSchema
        ) { $0.report.intervals?.value },
        .optional("explain", "The command that explains a device, up to the device.") {
            $0.report.explanation($0.origin)
        }, .narrowed(\.report.narrowed), .assumed(\.report.assumed),
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
        .optionalList("requests", "The results of requests, by the group of devices.", RequestFigures.columns) {
            $0.result.requests.isEmpty ? nil : $0.result.requests
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
        .optional("subject", "The group or the device that fetches, or `all`; null at the end of the scenario.") {
            $0.result.passed ? nil : .some($0.result.subject)
        },
        .optional("seconds", "Seconds from the start of the scenario to the step; null at its end.") {
            $0.result.passed ? nil : .some($0.result.times?.lowerBound)
        },
        .optional("explain", "The command that explains the devices; null where none does.") {
            $0.result.passed ? nil : .some($0.report.explanation(of: $0.result))
        },
    ])

    /// The devices that were not evaluated: `{"exact":true,"unjudged":{"devices":0,"reasons":{}}}` if there are none.
    static let evaluated = Columns<(unevaluated: Figures.Unevaluated, isExact: Bool)>(byName: [
        .field("exact", "True if no device is left out of any figure.") {
            $0.isExact && $0.unevaluated.devices + $0.unevaluated.leftOut == 0
        },
        .field("unjudged", "Devices that were not evaluated.") { $0.unevaluated },
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
