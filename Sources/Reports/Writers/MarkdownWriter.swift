internal import Documents

/// Writes a page as Markdown, to be pasted into a change request: the answer and its figures at a look, and the rest folded away.
package enum MarkdownWriter {
    /// The page as Markdown; equal pages give equal text.
    static func text(of page: ReportPage) -> String {
        let parts =
            (page.head.map { head($0, of: page) } ?? [["### \(escaped(page.fullTitle))"]])
            + page.sections.blocks.flatMap(folded)
        // An empty line separates any two parts.
        return parts.joined(separator: [""]).map { $0 + "\n" }.joined()
    }

    private static func head(_ head: ReportHead, of page: ReportPage) -> [[String]] {
        let verdict = head.verdict.map { escaped($0.withoutEmphasis) + ": " } ?? ""
        let answer = head.verdict == nil ? head.answer.capitalized : head.answer
        let details = head.details.map(escaped).joined(separator: " ")
        var parts = [["### \(verdict)\(escaped(answer))"], [escaped(page.fullTitle)]]
        if !details.isEmpty { parts.append([details]) }
        if !head.facts.isEmpty { parts.append(table(of: head.facts)) }
        parts += head.notes.map { [escaped($0.capitalized)] }
        if !head.zeros.isEmpty {
            parts.append([escaped(ReportText(head.zeros.joined(separator: ", ") + ".").capitalized)])
        }
        return parts
    }

    private static func table(of facts: [ReportHead.Fact]) -> [String] {
        [row(["", "", ""]), row(["---", "---:", "---"])]
            + facts.map { fact in
                let figure = escaped(ReportText(fact.figure, .strong))
                return row([
                    escaped(fact.name), fact.whole.isEmpty ? figure : "\(figure) \(escaped(fact.whole))",
                    escaped(fact.words),
                ])
            }
    }

    // MARK: Sections

    // A block below its title, which a reader unfolds.
    private static func folded(_ block: [ReportSection]) -> [[String]] {
        guard let first = block.first else { return [] }
        guard case .title(let title) = first.heading else { return block.flatMap { blocks(of: $0) } }
        let content = blocks(of: first, hasTitle: false) + block.dropFirst().flatMap { blocks(of: $0) }
        return [["<details><summary>\(Escape.markdown(title, inHTML: true))</summary>"]] + content + [
            ["</details>"]
        ]
    }

    private static func blocks(of section: ReportSection, hasTitle: Bool = true) -> [[String]] {
        (hasTitle ? heading(section.heading) : []) + section.sentences.map { [escaped($0)] }
            + terms(section.termsFold == nil ? section.terms : []) + (section.table.map(blocks) ?? [])
            + section.notes.map { [escaped($0)] } + section.lists.map(lines)
    }

    private static func terms(_ terms: [ReportSection.Term]) -> [[String]] {
        let lines = terms.map { term in
            "- " + (term.name.isEmpty ? "" : "\(escaped(term.name)): ") + escaped(term.words)
        }
        return lines.isEmpty ? [] : [lines]
    }

    private static func heading(_ heading: ReportSection.Heading) -> [[String]] {
        switch heading {
        case .title(let title): [["**\(escaped(title))**"]]
        case .notice(let sentence): [[escaped(sentence)]]
        case .continuation: []
        }
    }

    private static func blocks(of table: ReportTable) -> [[String]] {
        let table = table.onPage
        guard !table.rows.isEmpty else { return [] }
        let columns = table.columns.indices
        let head = [
            row(table.columns.map { escaped($0.pageTitle) }), row(table.columns.map { $0.isFigure ? "---:" : "---" }),
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

    private static func escaped(_ text: String) -> String { Escape.markdown(text) }
}
