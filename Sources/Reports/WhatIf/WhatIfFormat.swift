internal import Accounts
package import Analysis
internal import Figures
package import PolicyEngine

/// The forms of a report on the effects of every edit.
package enum WhatIfFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// One page, for a browser.
    case html
    /// A row for each edit, as comma-separated values.
    case csv

    /// The report in this form, by the parameters of ``PagedReport``; equal reports give equal bytes. The text leaves out edits
    /// without any effect; the other forms have all.
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
        let labelled = labels.map {
            [(key: "labels", value: JSONLabels.value(of: $0, cost: cost, at: confidence ?? .usual))]
        }
        return [
            ("attestations", .integer(attestations)), ("devices", .integer(devices)),
            ("evaluated", .integer(evaluated)), ("token-fetches", fetchesPerDay.map { .integer($0) } ?? .null),
        ] + (labelled ?? []) + [("edits", .array(edits.map(value)))] + intervalMember
    }

    private func value(of edit: Edit) -> JSONValue {
        let labelled = edit.labels.map { lane in
            [
                (
                    key: "labels",
                    value: JSONLabels.edited(lane, cost, isEfficient: edit.isEfficient, at: confidence ?? .usual)
                )
            ]
        }
        return .ordered(
            [
                ("command", .string(edit.command.text)), ("newly-rejected", Self.value(of: edit.figures.rejected)),
                ("newly-accepted", Self.value(of: edit.figures.accepted)),
                ("token-fetches", fetchesPerDay(after: edit).map { .integer($0) } ?? .null),
                ("token-fetches-per-mille", .integer(edit.figures.expectedFetchesPerMille)),
                ("unjudged-devices", .integer(edit.figures.unevaluatedDevices)),
            ] + (labelled ?? []) + intervals(of: edit).member)
    }

    private static func value(of turned: EditFigures.Turned) -> JSONValue {
        .ordered([("attestations", .integer(turned.attestations)), ("devices", .integer(turned.devices))])
    }
}

/// Writes the effects of every edit as CSV, a row for each edit.
private enum CSVWhatIf {
    private static let columns: [CSVOutput.Field] = [
        "command", "newly-rejected-devices", "newly-rejected-attestations", "newly-accepted-devices",
        "newly-accepted-attestations", "token-fetches", "token-fetches-per-mille", "unjudged-devices",
    ]

    // Columns of a report with labels.
    private static let labelColumns: [CSVOutput.Field] = [
        "bad-devices", "bad-caught", "good-devices", "good-blocked", "unknown-devices", "unknown-rejected",
        "unevaluated-labels", "saves", "efficient",
    ]

    // Columns of a report with a confidence level.
    private static let ends: [CSVOutput.Field] = [
        "newly-rejected-lower", "newly-rejected-upper", "newly-accepted-lower", "newly-accepted-upper",
    ]

    static func bytes(of whatIf: WhatIf) -> [UInt8] {
        let added = (whatIf.labels == nil ? [] : labelColumns) + (whatIf.confidence == nil ? [] : ends)
        var output = CSVOutput(columns: columns + added)
        for edit in whatIf.edits {
            let (figures, ends) = (edit.figures, whatIf.intervals(of: edit).flatMap { $0.fields.dropFirst() })
            let counts = [
                figures.rejected.devices, figures.rejected.attestations, figures.accepted.devices,
                figures.accepted.attestations, whatIf.fetchesPerDay(after: edit), figures.expectedFetchesPerMille,
                figures.unevaluatedDevices,
            ]
            output.add(
                [.words(edit.command.text)] + counts.map { .count($0) }
                    + (edit.labels.map { fields($0, of: edit, whatIf) } ?? []) + ends.map { .plain($0) })
        }
        return output.bytes
    }

    private static func fields(_ lane: LabelLane, of edit: WhatIf.Edit, _ whatIf: WhatIf) -> [CSVOutput.Field] {
        let counts = DeviceLabel.allCases.flatMap { [lane[$0].devices, lane[$0].rejected] }
        let unevaluated = lane.bad.unevaluated + lane.good.unevaluated + lane.unknown.unevaluated
        return counts.map { .count($0) }
            + [.count(unevaluated), .count(whatIf.saving(of: edit)), .truth(edit.isEfficient)]
    }
}
