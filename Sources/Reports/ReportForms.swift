package import Replay

/// The forms in which the report of a replay can be written.
package enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// One page with plots, for a browser.
    case html
    /// What was counted by minute, and unique devices by window, as comma-separated values.
    case csv
    /// Samples for a Prometheus.
    case openmetrics

    /// Whether the form says what was counted by minute, whatever else was asked for.
    package var needsSeries: Bool { self == .csv || self == .openmetrics }

    /// The report in this form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - isVerbose: Whether the text has every step of a scenario.
    ///   - origin: What the report was made from; for forms that say it.
    ///   - step: Seconds from one sample to the next; for forms that have samples.
    package func bytes(
        of report: Report, style: TextStyle = .plain, isVerbose: Bool = false, origin: ReportOrigin = ReportOrigin(),
        step: Int = OpenMetricsReport.usualStep
    ) -> [UInt8] {
        switch self {
        case .text: Array(TextWriter(style: style).text(of: report.sections(isVerbose: isVerbose)).utf8)
        case .json: JSONReport.bytes(of: report)
        case .html: HTMLWriter.bytes(of: report.page(isVerbose: isVerbose, origin: origin))
        case .csv: CSVReport.bytes(of: report)
        case .openmetrics: OpenMetricsReport(report, step: step).bytes()
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

    /// Whether the form says what was counted by minute, whatever else was asked for.
    package var needsSeries: Bool { self == .openmetrics }

    /// The report in this form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - isVerbose: Whether the text has every step of a scenario.
    ///   - origin: What the report was made from; for forms that say it.
    ///   - step: Seconds from one sample to the next; for forms that have samples.
    package func bytes(
        of report: Report, style: TextStyle = .plain, isVerbose: Bool = false, origin: ReportOrigin = ReportOrigin(),
        step: Int = OpenMetricsReport.usualStep
    ) -> [UInt8] {
        switch self {
        case .text: ReportFormat.text.bytes(of: report, style: style, isVerbose: isVerbose)
        case .json: ReportFormat.json.bytes(of: report)
        case .html: ReportFormat.html.bytes(of: report, isVerbose: isVerbose, origin: origin)
        case .openmetrics: ReportFormat.openmetrics.bytes(of: report, step: step)
        case .junit: Array(JUnitReport.text(of: report).utf8)
        case .tap: Array(TAPReport.text(of: report).utf8)
        case .github: Array(GitHubReport.text(of: report).utf8)
        }
    }
}

/// The forms in which a comparison can be written.
package enum ComparisonFormat: String, Hashable, Sendable, CaseIterable {
    case text, json, markdown
    /// One page with plots, for a browser.
    case html
    /// What changes, as comma-separated values.
    case csv

    /// The comparison in this form; equal comparisons give equal bytes.
    ///
    /// - Parameters:
    ///   - comparison: The comparison.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - origin: What the comparison was made from; for forms that say it.
    package func bytes(
        of comparison: Comparison, style: TextStyle = .plain, origin: ReportOrigin = ReportOrigin()
    ) -> [UInt8] {
        switch self {
        case .text: Array(TextWriter(style: style).text(of: comparison.sections).utf8)
        case .json: JSONComparison.bytes(of: comparison)
        case .html: HTMLWriter.bytes(of: comparison.page(origin: origin))
        case .csv: CSVComparison.bytes(of: comparison)
        case .markdown: Array(MarkdownWriter.text(of: comparison.sections).utf8)
        }
    }
}
