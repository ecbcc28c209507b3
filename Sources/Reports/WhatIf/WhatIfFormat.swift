internal import Documents
internal import Figures
internal import PolicyEngine

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
        case .text: Array(TextWriter(style: style).text(of: whatIf.sections).utf8)
        case .json: JSONWhatIf.bytes(of: whatIf)
        case .html: HTMLWriter.bytes(of: whatIf.page(origin: origin))
        case .csv: CSVWhatIf.bytes(of: whatIf)
        }
    }
}

/// Writes the effects of every edit as JSON on one line:
/// `{"version":1,"attestations":n,"devices":n,"token-fetches":n,"edits":[{"command":…,"newly-rejected":{…},…}]}`.
private enum JSONWhatIf {
    static func bytes(of whatIf: WhatIf) -> [UInt8] {
        var output = JSONBytes()
        JSONValue.ordered([
            ("version", .integer(1)), ("attestations", .integer(whatIf.attestations)),
            ("devices", .integer(whatIf.devices)), ("evaluated", .integer(whatIf.evaluated)),
            ("token-fetches", whatIf.fetchesPerDay.map { .integer($0) } ?? .null),
            ("edits", .array(whatIf.edits.map { edit($0, of: whatIf) })),
        ]).write(to: &output)
        return output.bytes + [UInt8(ascii: "\n")]
    }

    private static func edit(_ edit: WhatIf.Edit, of whatIf: WhatIf) -> JSONValue {
        .ordered([
            ("command", .string(edit.command)), ("newly-rejected", turned(edit.figures.rejected)),
            ("newly-accepted", turned(edit.figures.accepted)),
            ("token-fetches", whatIf.fetchesPerDay(after: edit).map { .integer($0) } ?? .null),
            ("token-fetches-per-mille", .integer(edit.figures.expectedFetchesPerMille)),
            ("unjudged-devices", .integer(edit.figures.unevaluatedDevices)),
        ])
    }

    private static func turned(_ turned: EditFigures.Turned) -> JSONValue {
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
        for column in columns { output.plain(column) }
        output.endRow()
        for edit in whatIf.edits {
            let figures = edit.figures
            output.field(edit.command)
            for turned in [figures.rejected, figures.accepted] {
                output.field(turned.devices)
                output.field(turned.attestations)
            }
            output.plain(whatIf.fetchesPerDay(after: edit).map(String.init) ?? "")
            output.field(figures.expectedFetchesPerMille)
            output.field(figures.unevaluatedDevices)
            output.endRow()
        }
        return output.bytes
    }
}
