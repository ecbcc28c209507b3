internal import Documents

/// Writes sections as Markdown, to be pasted into a change request.
package enum MarkdownWriter {
    /// The sections as Markdown; equal sections give equal text.
    package static func text(of sections: [ReportSection]) -> String {
        // An empty line separates any two blocks.
        sections.flatMap(blocks).joined(separator: [""]).map { $0 + "\n" }.joined()
    }

    private static func blocks(of section: ReportSection) -> [[String]] {
        heading(section.heading) + section.sentences.map { [escaped($0)] } + (section.table.map(blocks) ?? [])
            + section.lists.map(lines)
    }

    private static func heading(_ heading: ReportSection.Heading) -> [[String]] {
        switch heading {
        case .title(let title): [["### \(escaped(title))"]]
        case .notice(let sentence): [[escaped(sentence)]]
        case .continuation: []
        }
    }

    private static func blocks(of table: ReportTable) -> [[String]] {
        guard !table.rows.isEmpty else { return [] }
        let columns = table.columns.indices
        let head = [
            row(table.columns.map { escaped($0.title) }), row(table.columns.map { $0.isFigure ? "---:" : "---" }),
        ]
        let rows = table.rows.map { cells in
            row(columns.map { $0 < cells.cells.count ? escaped(cells.cells[$0]) : "" })
        }
        let details = table.rows.flatMap(\.details).map(lines)
        return [head + rows] + details + (table.omitted > 0 ? [["and \(table.omitted.grouped) more"]] : [])
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    private static func lines(of list: ReportList) -> [String] {
        let indent = list.head == nil ? "" : "  "
        let lines = list.items.flatMap { item in
            list.isOutput ? item.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) : [item]
        }
        return (list.head.map { ["- " + escaped($0)] } ?? []) + lines.map { "\(indent)- \(escaped($0))" }
    }

    private static func escaped(_ cell: ReportTable.Cell) -> String {
        escaped(ReportText(cell.text, cell.emphasis))
    }

    private static func escaped(_ text: ReportText) -> String {
        text.spans.map { $0.emphasis == .plain ? escaped($0.text) : "**\(escaped($0.text))**" }.joined()
    }

    private static func escaped(_ text: String) -> String { MarkdownText.escaped(text) }
}
