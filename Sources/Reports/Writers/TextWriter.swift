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

    package init(style: TextStyle = .plain) {
        self.style = style
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
        heading(section.heading) + section.sentences.map { "  " + shown($0) } + (section.table.map(lines) ?? [])
            + section.lists.flatMap { lines(of: $0, indent: 6) }
    }

    private func heading(_ heading: ReportSection.Heading) -> [String] {
        switch heading {
        case .title(let title): [shown(ReportText(title, .strong))]
        case .notice(let sentence): [shown(sentence)]
        case .continuation: []
        }
    }

    private func lines(of list: ReportList, indent: Int) -> [String] {
        let head = list.head.map { [spaces(indent) + shown($0)] } ?? []
        let items = list.items.flatMap { item in
            guard list.isOutput else { return [item.showingControls()] }
            return item.split(separator: "\n", omittingEmptySubsequences: false).map {
                String($0).showingControls(keepingTabs: true)
            }
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
    // A first cell that is wider has a line of its own, with the rest of its row below: one long pattern would move the
    // figures of all rows out of the window.
    private static let widestName = 60

    private func lines(of table: ReportTable) -> [String] {
        let titles = table.hasTitles ? [ReportTable.Row(cells: table.columns.map { .text($0.title) })] : []
        let rows = titles + table.rows
        let texts = rows.map { row in row.cells.map { $0.text.showingControls() } }
        let widths = table.columns.indices.map { column in
            let all = texts.map { column < $0.count ? $0[column].terminalWidth : 0 }
            let isName = column == 0 && table.columns.count > 1
            return (isName ? all.filter { $0 <= Self.widestName } : all).max() ?? 0
        }
        let lines = zip(rows, texts).flatMap { row, texts in
            self.lines(of: row, texts, in: table, widths: widths)
                + row.details.flatMap { self.lines(of: $0, indent: 8) }
        }
        return lines + (table.omitted > 0 ? ["  and \(table.omitted.grouped) more"] : [])
    }

    private func lines(
        of row: ReportTable.Row, _ texts: [String], in table: ReportTable, widths: [Int]
    ) -> [String] {
        var cells = row.cells.indices.map { column in
            let isLast = column == row.cells.count - 1 && !table.columns[column].isFigure
            let padding = isLast ? "" : spaces(widths[column] - texts[column].terminalWidth)
            let text = stressed(texts[column], row.cells[column].emphasis)
            return table.columns[column].isFigure ? padding + text : text + padding
        }
        guard let name = texts.first, name.terminalWidth > widths[0], texts.dropFirst().contains(where: { !$0.isEmpty })
        else { return [line(of: cells)] }
        let first = line(of: [cells[0]])
        cells[0] = spaces(widths[0])
        return [first, line(of: cells)]
    }

    private func line(of cells: [String]) -> String {
        let line = "  " + cells.joined(separator: "  ")
        let end = line.utf8.lastIndex { $0 != UInt8(ascii: " ") }.map(line.utf8.index(after:))
        return String(line[..<(end ?? line.startIndex)])
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
