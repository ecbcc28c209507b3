package import Analysis
package import Documents
package import Figures
package import PolicyEngine
package import Replay
package import Scenarios

/// The forms in which answers can be written. Each question has some of them, in this order.
package enum ReportForm: String, Hashable, Sendable, CaseIterable {
    case text, json, markdown
    /// One page with plots, for a browser.
    case html
    /// Comma-separated values.
    case csv
    /// The same with a row for each count.
    case csvLong = "csv-long"
    /// Samples for a Prometheus.
    case openmetrics
    /// JUnit's XML, as CI servers read it.
    case junit
    /// The Test Anything Protocol, version 14.
    case tap
    /// The Static Analysis Results Interchange Format.
    case sarif
    /// Annotations of GitHub Actions.
    case github
    /// Records of a device, as a capture.
    case jsonl
    /// The mail that sums up what an account did in its billing month, or in a day (R25.3).
    case summaryMail = "summary-mail"
}

/// The setting in which a report is written, whatever question it answers.
package struct ReportSetting: Sendable {
    /// Colours of the text, where a terminal shows them.
    package var style = TextStyle.plain
    /// The number of columns of the terminal that a text is for; `nil` for texts of any width.
    package var width: Int?
    /// True if the text and the page have every step of a scenario.
    package var isVerbose = false
    /// The origin of the report; for forms that show it.
    package var origin = ReportOrigin()
    /// Seconds from one sample to the next; for forms that have samples.
    package var step = OpenMetricsReport.usualStep
    /// The redactor that hides device IDs and addresses before they are cut or become anchors; the forms that have neither are
    /// redacted as bytes.
    package var redactor: Redactor?

    package init() {}
}

extension TextWriter {
    /// A writer for the terminal of a setting.
    init(_ setting: ReportSetting) { self.init(style: setting.style, width: setting.width) }
}

/// The answer to a question: one value behind every form of its report.
package protocol Answer {
    /// The forms that it can be written in, in the order of ``ReportForm``.
    static var forms: [ReportForm] { get }

    /// The report in one of these forms, and nothing in another one; equal answers give equal bytes.
    func bytes(as form: ReportForm, in setting: ReportSetting) -> [UInt8]
}

/// An answer that people read as sections and as a page, and programs as JSON on one line: `{"version":1,…}`.
package protocol SectionedAnswer: Answer {
    /// The report in sections.
    var sections: [ReportSection] { get }
    /// The report as text; by default all sections one after the other.
    func text(in setting: ReportSetting) -> [UInt8]
    /// The report as a page.
    func page(in setting: ReportSetting) -> ReportPage
    /// The report as JSON.
    var json: JSONValue { get }
    /// The report as CSV; by default none.
    var csv: [UInt8] { get }
}

extension SectionedAnswer {
    package static var forms: [ReportForm] { [.text, .json, .html] }

    package func text(in setting: ReportSetting) -> [UInt8] { TextWriter(setting).bytes(of: sections) }

    package var csv: [UInt8] { [] }

    package func bytes(as form: ReportForm, in setting: ReportSetting = ReportSetting()) -> [UInt8] {
        sectioned(as: form, in: setting)
    }

    /// The report in one of the forms that sections, JSON and CSV have.
    func sectioned(as form: ReportForm, in setting: ReportSetting) -> [UInt8] {
        switch form {
        case .text: text(in: setting)
        case .json: json.line
        case .markdown: Array(MarkdownWriter.text(of: page(in: setting)).utf8)
        case .html: HTMLWriter.bytes(of: page(in: setting).redacted(by: setting.redactor))
        case .csv: csv
        default: []
        }
    }
}

// MARK: Runs and replays

extension Report: Answer {
    /// The forms of a replay.
    package static let forms: [ReportForm] = [.text, .json, .html, .csv, .csvLong, .openmetrics, .summaryMail]

    /// The forms of a run of scenarios.
    package static let formsOfRuns: [ReportForm] = [
        .text, .json, .html, .openmetrics, .junit, .tap, .github, .summaryMail,
    ]
    package static let kind = ReportKind("report", "Report", columns)

    package func bytes(as form: ReportForm, in setting: ReportSetting = ReportSetting()) -> [UInt8] {
        let (isVerbose, origin, redactor) = (setting.isVerbose, setting.origin, setting.redactor)
        return switch form {
        case .text: TextWriter(setting).bytes(of: sections(isVerbose: isVerbose, origin))
        case .json: json(origin).line
        case .markdown: Array(MarkdownWriter.text(of: page(isVerbose: isVerbose, origin: origin)).utf8)
        case .html: HTMLWriter.bytes(of: page(isVerbose: isVerbose, origin: origin).redacted(by: redactor))
        case .csv: csv
        case .csvLong: longCSV
        case .openmetrics: OpenMetricsReport(self, step: setting.step).bytes()
        case .junit: Array(JUnitReport.text(of: self).utf8)
        case .tap: Array(TAPReport.text(of: self).utf8)
        case .github: Array(GitHubReport(redactor: redactor).text(of: self).utf8)
        case .summaryMail: SummaryMail.bytes(of: self, redactor: redactor)
        default: []
        }
    }
}

extension ReportForm {
    /// True if the form of a replay or a run has the counts by minute, whatever else was asked for.
    package var needsSeries: Bool { [.csv, .csvLong, .openmetrics].contains(self) }
}

// MARK: Comparisons

/// A comparison with what its report has besides.
package struct ComparisonReport: Answer {
    private let comparison: Comparison
    private let timeline: ChangeTimeline?
    private let limits: [LimitResult]
    private let identity: ComparisonIdentity?
    private let parts: ChangeCase

    package static let forms: [ReportForm] = [.text, .json, .markdown, .html, .csv, .junit, .sarif, .github]
    package static let kind = ReportKind("comparison", "Comparison", ComparedChange.reportColumns)

    /// - Parameters:
    ///   - comparison: The comparison.
    ///   - timeline: The timeline of the change in a scenario; text and Markdown show it if the change is made during the scenario.
    ///   - limits: The caller's limits, and which are exceeded; for forms that show them.
    ///   - identity: The identity of the comparison, for later ones; JSON has it.
    ///   - parts: Other edits and the rollout, for those who decide about the change.
    package init(
        _ comparison: Comparison, timeline: ChangeTimeline? = nil, limits: [LimitResult] = [],
        identity: ComparisonIdentity? = nil, parts: ChangeCase = ChangeCase()
    ) {
        (self.comparison, self.timeline, self.limits, self.identity) = (comparison, timeline, limits, identity)
        self.parts = parts
    }

    // A text comes with standard error, which says all limits; other forms are read without it.
    private func sections(_ limits: [ReportSection], _ origin: ReportOrigin) -> [ReportSection] {
        let isUnderWay = timeline.map { $0.inForce > $0.made } ?? false
        var sections = comparison.sections(timeline: isUnderWay ? timeline : nil)
        sections.insert(contentsOf: limits, at: min(1, sections.count))
        return sections + parts.sections(comparison) + ReportSection.explanation(comparison.explanation(origin))
    }

    private func page(_ origin: ReportOrigin) -> ReportPage {
        let page = comparison.page(timeline: timeline, limits: limits, origin: origin)
        return parts.isEmpty ? page : ComparisonSections(comparison).casePage(parts, of: page)
    }

    package func bytes(as form: ReportForm, in setting: ReportSetting = ReportSetting()) -> [UInt8] {
        let (origin, redactor) = (setting.origin, setting.redactor)
        switch form {
        case .text:
            return TextWriter(setting).bytes(of: sections(LimitResult.exceptions(limits), origin))
        case .json:
            let change = ComparedChange(comparison: comparison, timeline: timeline, identity: identity, parts: parts)
            return change.report(origin).line
        case .markdown: return Array(MarkdownWriter.text(of: page(origin)).utf8)
        case .html: return HTMLWriter.bytes(of: page(origin).redacted(by: redactor))
        case .csv: return comparison.csv
        case .junit: return Array(JUnitReport.text(of: comparison, limits: limits).utf8)
        case .sarif: return SARIFReport.bytes(of: comparison, limits: limits, origin: origin)
        case .github:
            return Array(GitHubReport(redactor: redactor).text(of: comparison, limits: limits, origin: origin).utf8)
        default: return []
        }
    }
}

// MARK: Diagnostics

/// Errors and warnings, with what comments allow.
package struct DiagnosticReport: Answer {
    private let diagnostics: Diagnostics
    private let allowed: [AllowedFindings]
    private let version: String

    package static let forms: [ReportForm] = [.text, .json, .sarif]
    package static let kind = ReportKind("diagnostics", "Diagnostics", JSONDiagnostics.columns)

    /// - Parameters:
    ///   - diagnostics: The diagnostics.
    ///   - allowed: What comments allow.
    ///   - version: The version of the tool.
    package init(_ diagnostics: Diagnostics, allowed: [AllowedFindings] = [], version: String) {
        (self.diagnostics, self.allowed, self.version) = (diagnostics, allowed, version)
    }

    package func bytes(as form: ReportForm, in setting: ReportSetting = ReportSetting()) -> [UInt8] {
        switch form {
        case .json: JSONDiagnostics.bytes(of: diagnostics, allowed: allowed)
        case .sarif: SARIFReport.bytes(of: diagnostics, allowed: allowed, version: version)
        default: Array((diagnostics.all.map(\.rendered) + allowed.map(\.line)).map { $0 + "\n" }.joined().utf8)
        }
    }
}
