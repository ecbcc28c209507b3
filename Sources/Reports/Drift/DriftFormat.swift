internal import Documents
package import Figures
internal import Statistics

/// The forms of a report on the differences between two captures.
package enum DriftFormat: String, Hashable, Sendable, CaseIterable {
    case text, json, markdown
    /// One page, for a browser.
    case html
    /// A row for each value, as comma-separated values.
    case csv

    /// The report in this form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - drift: The report.
    ///   - account: The name of the account; empty if it has none.
    ///   - limits: The caller's limits, and which are exceeded.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - origin: The origin of the report; for forms that show it.
    package func bytes(
        of drift: DriftFigures, account: String = "", limits: [LimitResult] = [], style: TextStyle = .plain,
        origin: ReportOrigin = ReportOrigin()
    ) -> [UInt8] {
        switch self {
        case .text: drift.bytes(as: .text, style: style)
        case .json: drift.bytes(as: .json)
        case .markdown: Array(MarkdownWriter.text(of: drift.sections).utf8)
        case .html: HTMLWriter.bytes(of: drift.page(account: account, limits: limits, origin: origin))
        case .csv: CSVDrift.bytes(of: drift)
        }
    }
}

extension DriftFigures {
    fileprivate func page(account: String, limits: [LimitResult], origin: ReportOrigin) -> ReportPage {
        let subject = "\(old.name) → \(new.name)"
        var facts = [
            ReportCard.Fact(
                drifts.count.grouped, "of \(values.count.grouped) shares differ by more than chance explains",
                drifts.isEmpty ? .good : .bad)
        ]
        if let largest = drifts.first {
            facts.append(
                .init(Self.points(largest.difference.magnitude), "points at most, of \(largest.term.condition)"))
        }
        facts.append(
            .init(
                common.grouped,
                "devices of \(old.devices.grouped) before and \(new.devices.grouped) after are in both"))
        return ReportPage(
            title: account.isEmpty ? subject : "\(account): \(subject)",
            card: ReportCard(
                verdict: LimitResult.verdict(limits), facts: facts,
                notes: limits.map(\.line) + sentences.map { ReportText($0) }),
            sections: details + origin.sections, origin: origin)
    }
}

/// Writes the differences between two captures as CSV, a row for each value.
private enum CSVDrift {
    static func bytes(of drift: DriftFigures) -> [UInt8] {
        var output = CSVOutput()
        for name in ["key", "value", "before", "after", "difference", "lower", "upper", "p", "drifts"] {
            output.plain(name)
        }
        output.endRow()
        for value in drift.values {
            output.field(value.term.key)
            output.field(value.term.value)
            output.field(value.before)
            output.field(value.after)
            for number in [value.difference, value.interval.lower, value.interval.upper, value.pValue] {
                output.plain(number.sixDigits)
            }
            output.plain(value.isDrift ? "true" : "false")
            output.endRow()
        }
        return output.bytes
    }
}
