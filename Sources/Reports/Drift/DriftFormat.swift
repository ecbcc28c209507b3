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
        let subject = names.old == names.new ? "\(old.name) → \(new.name)" : "\(names.old) → \(names.new)"
        var facts = [
            ReportCard.Fact(
                drifts.count.grouped, "of \(values.count.grouped) shares differ by more than chance explains",
                drifts.isEmpty ? .good : .bad)
        ]
        if let largest = drifts.first {
            facts.append(
                .init(Self.points(largest.difference.magnitude), "points at most, of \(largest.condition)"))
        }
        facts.append(
            .init(
                common.grouped, common == 1 ? "device is in both captures" : "devices are in both captures"))
        return ReportPage(
            title: account.isEmpty ? subject : "\(account): \(subject)",
            scope: narrowed.scope + ["\(old.devices.counting("device")) before, \(new.devices.grouped) after"],
            card: ReportCard(
                verdict: LimitResult.verdict(limits), facts: facts,
                notes: limits.map(\.line) + sentences(isCounted: true).map { ReportText($0) }),
            sections: details + origin.sections, origin: origin)
    }

    // The names of the files without their folders.
    private var names: (old: String, new: String) {
        func name(_ side: Side) -> String { side.name.split(separator: "/").last.map(String.init) ?? side.name }
        return (name(old), name(new))
    }
}

/// Writes the differences between two captures as CSV, a row for each value.
private enum CSVDrift {
    static func bytes(of drift: DriftFigures) -> [UInt8] {
        var output = CSVOutput(
            columns: [
                "key", "value", "before", "after", "difference", "lower", "upper", "p", "drifts",
            ], narrowed: drift.narrowed)
        for value in drift.values {
            let numbers = [value.difference, value.interval.lower, value.interval.upper, value.pValue]
            output.add(
                [.words(value.term.key), .words(value.term.value), .count(value.before), .count(value.after)]
                    + numbers.map { .plain($0.sixDigits) } + [.truth(value.isDrift)])
        }
        return output.bytes
    }
}
