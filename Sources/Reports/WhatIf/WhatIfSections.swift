internal import Accounts
package import Analysis
internal import Documents
internal import Figures

extension WhatIf {
    /// The report in sections: a sentence, then a table of the edits that have an effect.
    package var sections: [ReportSection] {
        let shown = edits.filter(\.hasEffect)
        let isEvaluated = shown.allSatisfy { $0.figures.unevaluatedDevices == 0 }
        let table = ReportTable(columns(isEvaluated: isEvaluated), shown.map { row(of: $0, isEvaluated: isEvaluated) })
        return [
            ReportSection(.notice(ReportText(headline, .strong))),
            ReportSection(
                .title("Edits"), sentences: sentences(idle: edits.count - shown.count, isEvaluated: isEvaluated),
                table: shown.isEmpty ? nil : table),
        ] + labelSections
    }

    /// The number of edits that turn verdicts.
    var turning: Int {
        edits.count { $0.figures.rejected.attestations + $0.figures.accepted.attestations > 0 }
    }

    private var headline: String {
        "\(turning.grouped) of \(evaluated.grouped) single edits\(isPartial ? " that are asked for" : "") would turn verdicts"
            + " among \(attestations.grouped) attestations of \(devices.grouped) devices"
    }

    private var isPartial: Bool { edits.count < evaluated }

    private func sentences(idle: Int, isEvaluated: Bool) -> [ReportText] {
        var sentences: [String] = []
        if let fetchesPerDay { sentences.append("token fetches a day without an edit: \(fetchesPerDay.grouped)") }
        sentences += reproduction
        if !isEvaluated { sentences.append(Self.doubt) }
        if isPartial {
            sentences.append("\((evaluated - edits.count).grouped) edits are left out by the options")
        }
        if idle > 0 { sentences.append("\(idle.grouped) edits change nothing in these captures") }
        return sentences.map { ReportText($0) } + [intervalSentence]
    }

    /// The reasons for which devices are not evaluated.
    static let doubt =
        "devices are not evaluated if an edit depends on which of them were new and no record shows it, "
        + "or on a search that was given up"

    /// The difference of the account from the capture, if there is one.
    var reproduction: [String] {
        guard let reproduced, reproduced.agreed < reproduced.compared else { return [] }
        return [
            "the account gives \(reproduced.agreed.grouped) of \(reproduced.compared.grouped) captured verdicts "
                + "(\(reproduced.agreed.share(of: reproduced.compared))); is it the account of the capture?"
        ]
    }

    private func columns(isEvaluated: Bool) -> [ReportTable.Column] {
        [
            .text("edit"), .figure("newly rejected devices"), .figure("attestations"),
            .figure("newly accepted devices"), .figure("attestations"), .figure("token fetches a day"),
        ] + (isEvaluated ? [] : [.figure("devices not evaluated")]) + intervalColumns
    }

    private func row(of edit: Edit, isEvaluated: Bool) -> [ReportTable.Cell] {
        let figures = edit.figures
        return [
            .code(edit.command.text), .number(figures.rejected.devices), .number(figures.rejected.attestations),
            .number(figures.accepted.devices), .number(figures.accepted.attestations),
            fetchesPerDay(after: edit).map { .number($0) } ?? .text("unknown"),
        ] + (isEvaluated ? [] : [.number(figures.unevaluatedDevices)]) + intervals(of: edit).cells
    }
}
