package import Analysis
package import Documents
package import Figures
package import Replay
package import Scenarios

/// The forms in which the report of a replay can be written.
package enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// One page with plots, for a browser.
    case html
    /// The counts by minute, and unique devices by window, as comma-separated values.
    case csv
    /// The same with a row for each count.
    case csvLong = "csv-long"
    /// Samples for a Prometheus.
    case openmetrics
    /// The mail that sums up what an account did in its billing month, or in a day (R25.3).
    case summaryMail = "summary-mail"

    /// True if the form has the counts by minute, whatever else was asked for.
    package var needsSeries: Bool { [.csv, .csvLong, .openmetrics].contains(self) }

    /// The report in this form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - isVerbose: True if the text has every step of a scenario.
    ///   - origin: The origin of the report; for forms that show it.
    ///   - step: Seconds from one sample to the next; for forms that have samples.
    ///   - redactor: The redactor that hides device IDs and addresses before they are cut or become anchors; other forms
    ///     are redacted as bytes.
    package func bytes(
        of report: Report, style: TextStyle = .plain, isVerbose: Bool = false, origin: ReportOrigin = ReportOrigin(),
        step: Int = OpenMetricsReport.usualStep, redactor: Redactor? = nil
    ) -> [UInt8] {
        switch self {
        case .text: Array(TextWriter(style: style).text(of: report.sections(isVerbose: isVerbose, origin)).utf8)
        case .json: JSONReport.bytes(of: report, origin)
        case .html:
            HTMLWriter.bytes(of: report.page(isVerbose: isVerbose, origin: origin).redacted(by: redactor))
        case .csv: CSVReport.bytes(of: report)
        case .csvLong: CSVLongReport.bytes(of: report)
        case .openmetrics: OpenMetricsReport(report, step: step).bytes()
        case .summaryMail: SummaryMail.bytes(of: report, redactor: redactor)
        }
    }
}

/// The forms in which the report of a run can be written.
package enum RunFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// One page with plots, for a browser.
    case html
    /// Samples for a Prometheus.
    case openmetrics
    /// JUnit's XML, as CI servers read it.
    case junit
    /// The Test Anything Protocol, version 14.
    case tap
    /// Annotations of GitHub Actions.
    case github
    /// The mails that sum up what the accounts did in their billing month, or in a day (R25.3).
    case summaryMail = "summary-mail"

    /// True if the form has the counts by minute, whatever else was asked for.
    package var needsSeries: Bool { self == .openmetrics }

    /// The report in this form, by the parameters of ``ReportFormat``; equal reports give equal bytes.
    package func bytes(
        of report: Report, style: TextStyle = .plain, isVerbose: Bool = false, origin: ReportOrigin = ReportOrigin(),
        step: Int = OpenMetricsReport.usualStep, redactor: Redactor? = nil
    ) -> [UInt8] {
        switch self {
        case .text: ReportFormat.text.bytes(of: report, style: style, isVerbose: isVerbose)
        case .json: ReportFormat.json.bytes(of: report)
        case .html:
            ReportFormat.html.bytes(of: report, isVerbose: isVerbose, origin: origin, redactor: redactor)
        case .openmetrics: ReportFormat.openmetrics.bytes(of: report, step: step)
        case .junit: Array(JUnitReport.text(of: report).utf8)
        case .tap: Array(TAPReport.text(of: report).utf8)
        case .github: Array(GitHubReport(redactor: redactor).text(of: report).utf8)
        case .summaryMail: SummaryMail.bytes(of: report, redactor: redactor)
        }
    }
}

/// The forms in which a comparison can be written.
package enum ComparisonFormat: String, Hashable, Sendable, CaseIterable {
    case text, json, markdown
    /// One page with plots, for a browser.
    case html
    /// The changes, as comma-separated values.
    case csv
    /// JUnit's XML: a case for each limit.
    case junit
    /// The Static Analysis Results Interchange Format: a result for each way in which devices change sides.
    case sarif
    /// Annotations of GitHub Actions: one for each of these results.
    case github

    /// The comparison in this form; equal comparisons give equal bytes.
    ///
    /// - Parameters:
    ///   - comparison: The comparison.
    ///   - timeline: The timeline of the change in a scenario; text and Markdown show it if the change is made during the scenario.
    ///   - limits: The caller's limits, and which are exceeded; for forms that show them.
    ///   - identity: The identity of the comparison, for later ones; JSON has it.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - origin: The origin of the comparison; for forms that show it.
    ///   - redactor: The redactor that hides device IDs and addresses before they are cut or become anchors; other forms
    ///     are redacted as bytes.
    package func bytes(
        of comparison: Comparison, timeline: ChangeTimeline? = nil, limits: [LimitResult] = [],
        identity: ComparisonIdentity? = nil, style: TextStyle = .plain, origin: ReportOrigin = ReportOrigin(),
        redactor: Redactor? = nil
    ) -> [UInt8] {
        let isUnderWay = timeline.map { $0.inForce > $0.made } ?? false
        var sections = comparison.sections(timeline: isUnderWay ? timeline : nil)
        // A text comes with standard error, which says the rest; Markdown is read without it.
        let shown = self == .markdown ? LimitResult.sections(limits) : LimitResult.exceptions(limits)
        sections.insert(contentsOf: shown, at: min(1, sections.count))
        sections += ReportSection.explanation(comparison.explanation(origin))
        return switch self {
        case .text: Array(TextWriter(style: style).text(of: sections).utf8)
        case .json: JSONComparison.bytes(of: comparison, timeline: timeline, identity: identity, origin: origin)
        case .html:
            HTMLWriter.bytes(
                of: comparison.page(timeline: timeline, limits: limits, origin: origin).redacted(by: redactor))
        case .csv: CSVComparison.bytes(of: comparison)
        case .junit: Array(JUnitReport.text(of: comparison, limits: limits).utf8)
        case .sarif: SARIFReport.bytes(of: comparison, limits: limits, origin: origin)
        case .github: Array(GitHubReport(redactor: redactor).text(of: comparison, limits: limits, origin: origin).utf8)
        case .markdown: Array(MarkdownWriter.text(of: sections).utf8)
        }
    }
}

/// The forms in which diagnostics can be written.
package enum DiagnosticFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// The Static Analysis Results Interchange Format.
    case sarif

    /// The diagnostics in this form; equal diagnostics give equal bytes.
    ///
    /// - Parameters:
    ///   - diagnostics: The diagnostics.
    ///   - allowed: What comments allow.
    ///   - version: The version of the tool.
    package func bytes(
        of diagnostics: Diagnostics, allowed: [AllowedFindings] = [], version: String
    ) -> [UInt8] {
        switch self {
        case .text:
            Array((diagnostics.all.map(\.rendered) + allowed.map(\.line)).map { $0 + "\n" }.joined().utf8)
        case .json: JSONDiagnostics.bytes(of: diagnostics, allowed: allowed)
        case .sarif: SARIFReport.bytes(of: diagnostics, allowed: allowed, version: version)
        }
    }
}
