package import Replay

/// The forms in which the report of a replay can be written.
package enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// One page with plots, for a browser.
    case html

    /// The report in this form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - isVerbose: Whether the text has every step of a scenario.
    ///   - origin: What the report was made from; for forms that say it.
    package func bytes(
        of report: Report, style: TextStyle = .plain, isVerbose: Bool = false, origin: ReportOrigin = ReportOrigin()
    ) -> [UInt8] {
        switch self {
        case .text: Array(TextWriter(style: style).text(of: report.sections(isVerbose: isVerbose)).utf8)
        case .json: JSONReport.bytes(of: report)
        case .html: HTMLWriter.bytes(of: report.page(isVerbose: isVerbose, origin: origin))
        }
    }
}

/// The forms in which the report of a run can be written.
package enum RunFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// One page with plots, for a browser.
    case html
    /// JUnit's XML, as CI servers read it.
    case junit
    /// The Test Anything Protocol, version 14.
    case tap
    /// Annotations of GitHub Actions.
    case github

    /// The report in this form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - isVerbose: Whether the text has every step of a scenario.
    ///   - origin: What the report was made from; for forms that say it.
    package func bytes(
        of report: Report, style: TextStyle = .plain, isVerbose: Bool = false, origin: ReportOrigin = ReportOrigin()
    ) -> [UInt8] {
        switch self {
        case .text: ReportFormat.text.bytes(of: report, style: style, isVerbose: isVerbose)
        case .json: ReportFormat.json.bytes(of: report)
        case .html: ReportFormat.html.bytes(of: report, isVerbose: isVerbose, origin: origin)
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
        case .markdown: Array(MarkdownWriter.text(of: comparison.sections).utf8)
        }
    }
}
