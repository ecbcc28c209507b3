internal import Replay

extension ReportPage {
    /// The page without device IDs and addresses, before its names become anchors and its words are cut.
    func redacted(by redactor: Redactor?) -> ReportPage {
        guard let redactor else { return self }
        return ReportPage(
            title: redactor.text(title), scope: scope, card: card?.mapping { redactor.text($0) },
            sections: sections.map { $0.mapping { redactor.text($0) } }, origin: origin)
    }
}

extension ReportCard {
    fileprivate func mapping(_ change: (String) -> String) -> ReportCard {
        ReportCard(
            verdict: verdict?.mapping(change), facts: facts.map { Fact($0.figure, change($0.words), $0.emphasis) },
            notes: notes.map { $0.mapping(change) })
    }
}

extension ReportSection {
    /// The same section with other texts.
    fileprivate func mapping(_ change: (String) -> String) -> ReportSection {
        let heading: Heading =
            switch heading {
            case .title(let title): .title(change(title))
            case .notice(let text): .notice(text.mapping(change))
            case .continuation: .continuation
            }
        var section = ReportSection(
            heading, sentences: sentences.map { $0.mapping(change) }, table: table?.mapping(change),
            lists: lists.map { $0.mapping(change) })
        (section.place, section.fold, section.showsTable) = (place, fold, showsTable)
        // Plots name columns and times only.
        section.plots = plots
        return section
    }
}

extension ReportTable {
    fileprivate func mapping(_ change: (String) -> String) -> ReportTable {
        let rows = rows.map { row in
            Row(
                cells: row.cells.map { $0.mapping(change) }, details: row.details.map { $0.mapping(change) },
                note: row.note.map(change), anchor: row.anchor.map(change))
        }
        var table = ReportTable(columns, rows: rows)
        table.omitted = omitted
        return table
    }
}

extension ReportTable.Cell {
    fileprivate func mapping(_ change: (String) -> String) -> ReportTable.Cell {
        switch self {
        case .text(let text, let emphasis): .text(change(text), emphasis)
        case .code(let text): .code(change(text))
        case .name(let text, let spoken): .name(change(text), spoken: change(spoken))
        case .time, .number, .share, .seconds, .interval: self
        }
    }
}

extension ReportList {
    fileprivate func mapping(_ change: (String) -> String) -> ReportList {
        ReportList(
            head: head?.mapping(change), items: items.map(change), isOutput: isOutput, isAligned: isAligned,
            anchor: anchor.map(change))
    }
}
