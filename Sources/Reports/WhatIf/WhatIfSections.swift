internal import Accounts
package import Analysis
internal import Documents
internal import Figures

extension WhatIf {
    /// The report in sections: a sentence, then a table of the edits that have an effect.
    package var sections: [ReportSection] {
        let shown = edits.filter(\.hasEffect)
        let isEvaluated = shown.allSatisfy { $0.figures.unevaluatedDevices == 0 }
        let columns = columns(of: shown, isEvaluated: isEvaluated)
        let rows = shown.map { edit in columns.map { $0.cell(edit) } + intervalCells(of: edit) }
        let sections = [
            ReportSection(.notice(ReportText(headline, .strong))),
            ReportSection(
                .title("Edits, in devices"),
                sentences: sentences(idle: edits.count - shown.count, isEvaluated: isEvaluated),
                table: shown.isEmpty ? nil : ReportTable(columns.map(\.column) + intervalColumns, rows)),
        ]
        return (sections + labelSections).narrowed(to: narrowed)
    }

    /// The number of edits that turn verdicts.
    var turning: Int {
        edits.count { $0.figures.rejected.attestations + $0.figures.accepted.attestations > 0 }
    }

    private var headline: String {
        guard evaluatesAnything else {
            return
                "nothing was evaluated: what the \(evaluated.counting("single edit")) would do is known of no device"
        }
        return
            "\(turning.grouped) of \(evaluated.grouped) single edits\(isPartial ? " that are asked for" : "") would turn verdicts"
            + " among \(attestations.counting("attestation")) of \(devices.counting("device"))"
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

    private typealias Part = (column: ReportTable.Column, cell: (Edit) -> ReportTable.Cell)

    // Attestations are left out where each device attests once: their columns would repeat those of devices.
    private func columns(of shown: [Edit], isEvaluated: Bool) -> [Part] {
        let isByDevice = shown.allSatisfy { edit in
            [edit.figures.rejected, edit.figures.accepted].allSatisfy { $0.attestations == $0.devices }
        }
        func turned(_ title: String, _ part: @escaping (EditFigures) -> EditFigures.Turned) -> [Part] {
            [(.figure(title), { .number(part($0.figures).devices) })]
                + (isByDevice ? [] : [(.figure("attestations"), { .number(part($0.figures).attestations) })])
        }
        return [(.text("edit"), { .code($0.text) })] + turned("newly rejected", \.rejected)
            + turned("newly accepted", \.accepted)
            + [(.figure("fetches a day"), { fetchesPerDay(after: $0).map { .number($0) } ?? .text("unknown") })]
            + (isEvaluated ? [] : [(.figure("not evaluated"), { .number($0.figures.unevaluatedDevices) })])
    }
}
