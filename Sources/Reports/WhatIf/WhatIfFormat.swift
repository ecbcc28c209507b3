internal import Accounts
package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine

/// The forms of a report on the effects of every edit.
package enum WhatIfFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// One page, for a browser.
    case html
    /// A row for each edit, as comma-separated values.
    case csv

    /// The report in this form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - whatIf: The report. The text leaves out edits without any effect; the other forms have all.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - origin: The origin of the report; for forms that show it.
    package func bytes(
        of whatIf: WhatIf, style: TextStyle = .plain, origin: ReportOrigin = ReportOrigin()
    ) -> [UInt8] {
        switch self {
        case .text: whatIf.bytes(as: .text, style: style)
        case .json: whatIf.bytes(as: .json)
        case .html: HTMLWriter.bytes(of: whatIf.page(origin: origin))
        case .csv: CSVWhatIf.bytes(of: whatIf)
        }
    }
}

extension WhatIf: PlainReport {
    /// All edits: `"attestations":n,"devices":n,…,"edits":[{"command":…,"newly-rejected":{…},…}]`.
    package var members: [(key: String, value: JSONValue)] {
        [
            ("attestations", .integer(attestations)), ("devices", .integer(devices)),
            ("evaluated", .integer(evaluated)), ("token-fetches", fetchesPerDay.map { .integer($0) } ?? .null),
            ("edits", .array(edits.map(value))),
        ] + intervalMember
    }

    private func value(of edit: Edit) -> JSONValue {
        .ordered(
            [
                ("command", .string(edit.command.text)), ("newly-rejected", Self.value(of: edit.figures.rejected)),
                ("newly-accepted", Self.value(of: edit.figures.accepted)),
                ("token-fetches", fetchesPerDay(after: edit).map { .integer($0) } ?? .null),
                ("token-fetches-per-mille", .integer(edit.figures.expectedFetchesPerMille)),
                ("unjudged-devices", .integer(edit.figures.unevaluatedDevices)),
            ] + intervals(of: edit).member)
    }

    private static func value(of turned: EditFigures.Turned) -> JSONValue {
        .ordered([("attestations", .integer(turned.attestations)), ("devices", .integer(turned.devices))])
    }
}

/// Writes the effects of every edit as CSV, a row for each edit.
private enum CSVWhatIf {
    private static let columns = [
        "command", "newly-rejected-devices", "newly-rejected-attestations", "newly-accepted-devices",
        "newly-accepted-attestations", "token-fetches", "token-fetches-per-mille", "unjudged-devices",
    ]

    static func bytes(of whatIf: WhatIf) -> [UInt8] {
        var output = CSVOutput()
        let ends = ["newly-rejected-lower", "newly-rejected-upper", "newly-accepted-lower", "newly-accepted-upper"]
        for column in columns + (whatIf.confidence == nil ? [] : ends) { output.plain(column) }
        output.endRow()
        for edit in whatIf.edits {
            let figures = edit.figures
            output.field(edit.command.text)
            for turned in [figures.rejected, figures.accepted] {
                output.field(turned.devices)
                output.field(turned.attestations)
            }
            output.plain(whatIf.fetchesPerDay(after: edit).map(String.init) ?? "")
            output.field(figures.expectedFetchesPerMille)
            output.field(figures.unevaluatedDevices)
            for field in whatIf.intervals(of: edit).flatMap({ $0.fields.dropFirst() }) { output.plain(field) }
            output.endRow()
        }
        return output.bytes
    }
}
