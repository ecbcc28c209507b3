internal import Accounts
internal import Analysis
internal import Documents
internal import Figures

extension WhatIf {
    /// The report as a page: bars of the edits that change something, and the rest folded away.
    func page(origin: ReportOrigin) -> ReportPage {
        let subject = evaluated.counting("single edit")
        return ReportPage(
            title: account.isEmpty ? subject : "\(account): \(subject)",
            scope: narrowed.scope + SpanWords.scope(of: hours) + [devices.counting("device")], card: card,
            sections: (labelSections + [effective, idle]).filter { !$0.isBare } + origin.sections, origin: origin)
    }

    private var card: ReportCard {
        let changing = edits.count(where: \.hasEffect)
        var facts = [
            ReportCard.Fact(
                changing.grouped,
                "of \(edits.count.grouped) single edits change something; \(turning.grouped) turn verdicts")
        ]
        if let fetchesPerDay {
            facts.append(.init(fetchesPerDay.grouped, "token fetches a day under the account as it is"))
        }
        let left = evaluated - edits.count
        let notes = (left > 0 ? ["\(left.grouped) edits are left out by the options"] : []) + reproduction
        return ReportCard(facts: facts, notes: notes.map { ReportText($0) } + [intervalSentence])
    }

    private var effective: ReportSection {
        let shown = edits.filter(\.hasEffect)
        let isEvaluated = shown.allSatisfy { $0.figures.unevaluatedDevices == 0 }
        let columns: [ReportTable.Column] =
            [
                .text("edit"), .figure("newly rejected", bars: .worse), .figure("newly accepted", bars: .better),
                .figure("token fetches a day"),
            ] + (isEvaluated ? [] : [.figure("not evaluated")]) + intervalColumns
        let rows: [[ReportTable.Cell]] = shown.map { edit in
            [
                .code(edit.text), .number(edit.figures.rejected.devices),
                .number(edit.figures.accepted.devices),
                fetches(after: edit),
            ] + (isEvaluated ? [] : [.number(edit.figures.unevaluatedDevices)]) + intervalCells(of: edit)
        }
        return ReportSection(
            .title("Edits that change something, in devices"), sentences: isEvaluated ? [] : [ReportText(Self.doubt)],
            table: ReportTable(columns, rows))
    }

    // The card has the figure of the account as it is, which most edits share.
    private func fetches(after edit: Edit) -> ReportTable.Cell {
        guard let fetches = fetchesPerDay(after: edit) else { return .text("unknown") }
        return fetches == fetchesPerDay ? .text("same") : .number(fetches)
    }

    private var idle: ReportSection {
        let rows: [[ReportTable.Cell]] = edits.filter { !$0.hasEffect }.map { [.code($0.text)] }
        var section = ReportSection(.title("Edits that change nothing"), table: ReportTable([.text("edit")], rows))
        section.fold = "\(rows.count.grouped) edits"
        return section
    }
}
