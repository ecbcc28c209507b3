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
    package var json: JSONValue { Self.form.value(of: self) }

    static let form = ObjectForm<WhatIf>(inOrder: [
        .version, .field("attestations", \.attestations), .field("devices", \.devices),
        .field("evaluated", \.evaluated), .field("token-fetches", \.fetchesPerDay),
        .optional("labels", LabelledFigures.ofAccount) { whatIf in
            whatIf.labels.map { LabelledFigures($0, cost: whatIf.cost, at: whatIf.confidence) }
        }, .list("edits", edit) { whatIf in whatIf.edits.map { ($0, whatIf) } },
        .optional("intervals", IntervalEstimate.joint) { $0.joint }, .narrowed(\.narrowed),
    ])

    private static let edit = ObjectForm<(edit: Edit, whatIf: WhatIf)>(inOrder: [
        .field("command") { $0.edit.text },
        .object("newly-rejected", turned) { $0.edit.figures.rejected },
        .object("newly-accepted", turned) { $0.edit.figures.accepted },
        .field("token-fetches") { $0.whatIf.fetchesPerDay(after: $0.edit) },
        .field("token-fetches-per-mille") { $0.edit.figures.expectedFetchesPerMille },
        .field("unjudged-devices") { $0.edit.figures.unevaluatedDevices },
        .optional("labels", LabelledLane.ofEdit) { subject in
            let (edit, whatIf) = subject
            return edit.labels.map {
                LabelledLane($0, cost: whatIf.cost, at: whatIf.confidence, isEfficient: edit.isEfficient)
            }
        },
        .intervals(["newly-rejected", "newly-accepted"]) { $0.whatIf.intervals(of: $0.edit) },
    ])

    private static let turned = ObjectForm<EditFigures.Turned>(inOrder: [
        .field("attestations", \.attestations), .field("devices", \.devices),
    ])
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
        var output = CSVOutput(columns: columns + added, narrowed: whatIf.narrowed)
        for edit in whatIf.edits {
            let figures = edit.figures
            let known = whatIf.intervals(of: edit).flatMap { $0.fields.dropFirst() }
            let ends = known.isEmpty && whatIf.confidence != nil ? Self.ends.map { _ in "" } : known
            let counts = [
                figures.rejected.devices, figures.rejected.attestations, figures.accepted.devices,
                figures.accepted.attestations, whatIf.fetchesPerDay(after: edit), figures.expectedFetchesPerMille,
                figures.unevaluatedDevices,
            ]
            output.add(
                [.words(edit.text)] + counts.map { .count($0) }
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
