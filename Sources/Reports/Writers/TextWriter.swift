internal import Documents

/// The emphasis of words in a text.
package enum TextStyle: Sendable {
    /// Without any.
    case plain
    /// With the colours of a terminal.
    case coloured
}

/// Writes sections for people at a terminal: indented lines, and tables with aligned columns.
package struct TextWriter {
    private let style: TextStyle
    private let fit: LineFit

    /// - Parameters:
    ///   - style: The emphasis of words.
    ///   - width: The number of columns of the terminal; `nil` breaks no line and leaves out no column.
    package init(style: TextStyle = .plain, width: Int? = nil) {
        (self.style, fit) = (style, LineFit(width: width))
    }

    /// The sections as lines; equal sections give equal text.
    package func text(of sections: some Sequence<ReportSection>) -> String {
        String(decoding: bytes(of: sections), as: UTF8.self)
    }

    /// The same as UTF-8. Of sections that are made when they are asked for, one is there at a time.
    package func bytes(of sections: some Sequence<ReportSection>) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, section) in sections.enumerated() {
            if index > 0 { bytes.append(Self.lineFeed) }
            for line in lines(of: section) {
                bytes += line.utf8
                bytes.append(Self.lineFeed)
            }
        }
        return bytes
    }

    private static let lineFeed = UInt8(ascii: "\n")

    private func lines(of section: ReportSection) -> [String] {
        heading(section.heading) + section.sentences.flatMap { indented($0) }
            + (section.termsFold == nil ? section.terms : []).flatMap { lines(of: $0) }
            + (section.table.map(lines) ?? []) + section.notes.flatMap { indented($0) }
            + section.lists.flatMap { lines(of: $0, indent: 6) }
    }

    private func lines(of term: ReportSection.Term) -> [String] {
        indented(ReportText(term.name.isEmpty ? "" : term.name.lowercased() + ": ") + term.words)
    }

    private func indented(_ text: ReportText) -> [String] {
        fit.words(of: text, after: 2).map { spaces(2) + shown($0) }
    }

    private func heading(_ heading: ReportSection.Heading) -> [String] {
        switch heading {
        case .title(let title): fit.words(of: ReportText(title, .strong), after: 0).map { shown($0) }
        case .notice(let sentence): fit.words(of: sentence, after: 0).map { shown($0) }
        case .continuation: []
        }
    }

    private func lines(of list: ReportList, indent: Int) -> [String] {
        let head = (list.head.map { fit.words(of: $0, after: indent) } ?? []).map { spaces(indent) + shown($0) }
        let items = list.items.flatMap { item -> [String] in
            guard list.isOutput else { return fit.words(of: item.showingControls(), after: indent + 2) }
            let lines = item.split(separator: "\n", omittingEmptySubsequences: false).map {
                String($0).showingControls(keepingTabs: true)
            }
            return list.isAligned ? lines : lines.flatMap { fit.command($0, after: indent + 2) }
        }
        return head + items.map { spaces(indent + 2) + $0 }
    }

    // Names come from files of strangers: nothing in them may act on the terminal.
    private func shown(_ text: ReportText) -> String {
        text.spans.map { stressed($0.text.showingControls(), $0.emphasis) }.joined()
    }

    private func stressed(_ text: String, _ emphasis: ReportText.Emphasis) -> String {
        guard style == .coloured else { return text }
        return switch emphasis {
        case .plain: text
        case .strong: "\u{1B}[1m\(text)\u{1B}[0m"
        case .good: "\u{1B}[32m\(text)\u{1B}[0m"
        case .bad: "\u{1B}[31m\(text)\u{1B}[0m"
        }
    }
}

// MARK: Tables

extension TextWriter {
    private func lines(of whole: ReportTable) -> [String] {
        let (table, left) = fit.columns(of: whole)
        let titles = table.hasTitles ? [ReportTable.Row(cells: table.columns.map { .text($0.title) })] : []
        let rows = titles + table.rows
        let texts = rows.map { row in row.cells.map { $0.text.showingControls() } }
        let widths = fit.widths(of: table, texts)
        let lines = zip(rows, texts).flatMap { row, texts in
            self.lines(of: row, texts, in: table, widths: widths)
                + row.details.flatMap { self.lines(of: $0, indent: 8) }
        }
        return lines + (table.omitted > 0 ? ["  and \(table.omitted.grouped) more"] : [])
            + (left.isEmpty ? [] : indented("columns that need a wider terminal: \(left.joined(separator: ", "))"))
    }

    // A row on one line, and on more where a cell has more words than its column has room for.
    private func lines(
        of row: ReportTable.Row, _ texts: [String], in table: ReportTable, widths: [Int]
    ) -> [String] {
        // A first cell that is wider than its column has lines of its own, with the rest of its row below.
        let isNameAbove =
            texts.first.map { $0.terminalWidth > widths[0] } ?? false && texts.dropFirst().contains { !$0.isEmpty }
        let cells = texts.indices.map { column in
            column == 0 && isNameAbove ? [""] : fit.cell(texts[column], in: widths[column])
        }
        let above =
            isNameAbove ? fit.words(of: texts[0], after: 2).map { "  " + stressed($0, row.cells[0].emphasis) } : []
        let height = cells.map(\.count).max() ?? 1
        return above
            + (0..<height).map { index in
                line(
                    of: cells.indices.map { column in
                        padded(
                            index < cells[column].count ? cells[column][index] : "", row.cells[column].emphasis,
                            to: column == cells.count - 1 && !table.columns[column].isFigure ? 0 : widths[column],
                            isFigure: table.columns[column].isFigure)
                    })
            }
    }

    private func padded(_ text: String, _ emphasis: ReportText.Emphasis, to width: Int, isFigure: Bool) -> String {
        let padding = spaces(width - text.terminalWidth)
        return isFigure ? padding + stressed(text, emphasis) : stressed(text, emphasis) + padding
    }

    private func line(of cells: [String]) -> String {
        let line = "  " + cells.joined(separator: "  ")
        let end = line.utf8.lastIndex { $0 != UInt8(ascii: " ") }.map(line.utf8.index(after:))
        return String(line[..<(end ?? line.startIndex)])
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
