internal import Documents

/// Fits lines into the width of a terminal: sentences continue below, and the last columns leave a table that has no room for them.
struct LineFit {
    /// The number of columns of the terminal; `nil` for any.
    let width: Int?

    // A column of words with less room is left out instead.
    private static let leastWords = 24

    // A first cell that is wider has a line of its own: one long pattern would move the figures of all rows out of the window.
    private static let widestName = 60

    // MARK: Words

    /// The lines of a text, each at most as wide as the terminal, less what comes before it.
    func words(of text: String, after indent: Int) -> [String] {
        guard let width else { return [text] }
        return words(of: text, in: max(width - indent, Self.leastWords))
    }

    /// The lines of a text, each at most as wide as its column; a single word may be wider.
    func words(of text: String, in room: Int) -> [String] {
        guard width != nil, text.terminalWidth > room else { return [text] }
        var lines: [String] = []
        var (line, length) = ("", 0)
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let wordLength = String(word).terminalWidth
            if length > 0, length + 1 + wordLength > room {
                lines.append(line)
                (line, length) = ("", 0)
            }
            line += (length > 0 ? " " : "") + word
            length += (length > 0 ? 1 : 0) + wordLength
        }
        return lines + [line]
    }

    /// The lines of a cell, none of them wider than its column: a path that is wider is broken, where there is one behind a `/`.
    func cell(_ text: String, in room: Int) -> [String] {
        words(of: text, in: room).flatMap { line in
            var (lines, rest) = ([String](), Substring(line))
            while width != nil, room > 0, String(rest).terminalWidth > room {
                let fitting = rest.indices.last { String(rest[...$0]).terminalWidth <= room } ?? rest.startIndex
                let end = rest[...fitting].lastIndex(of: "/") ?? fitting
                lines.append(String(rest[...end]))
                rest = rest[rest.index(after: end)...]
            }
            return lines + (rest.isEmpty && !lines.isEmpty ? [] : [String(rest)])
        }
    }

    /// The same of a text of which parts have an emphasis.
    func words(of text: ReportText, after indent: Int) -> [ReportText] {
        guard let width, text.spans.map(\.text.terminalWidth).reduce(0, +) > width - indent else { return [text] }
        let room = max(width - indent, Self.leastWords)
        var lines: [ReportText] = []
        var (line, length) = (ReportText(""), 0)
        for span in text.spans {
            for (index, word) in span.text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                let wordLength = String(word).terminalWidth
                if index > 0, length > 0, length + 1 + wordLength > room {
                    lines.append(line)
                    (line, length) = (ReportText(""), 0)
                } else if index > 0, length > 0 {
                    (line, length) = (line + ReportText(" ", span.emphasis), length + 1)
                }
                (line, length) = (line + ReportText(String(word), span.emphasis), length + wordLength)
            }
        }
        return lines + [line]
    }

    /// The lines of a command, broken before options behind a backslash, so that a shell takes them as one; before other words only
    /// where there is no room for them.
    func command(_ text: String, after indent: Int) -> [String] {
        guard let width, text.terminalWidth > width - indent else { return [text] }
        let room = width - indent
        var lines: [String] = []
        var (line, length) = ("", 0)
        let units = Self.units(of: text)
        for (index, unit) in units.enumerated() {
            let unitLength = unit.terminalWidth
            let end = index == units.count - 1 ? 0 : 2
            let isLate = unit.hasPrefix("-") && length * 2 > room
            if length > 0, isLate || length + 1 + unitLength + end > room {
                lines.append(line + " \\")
                (line, length) = ("    " + unit, 4 + unitLength)
            } else {
                line += (length > 0 ? " " : "") + unit
                length += (length > 0 ? 1 : 0) + unitLength
            }
        }
        return lines + [line]
    }

    // The words of a command, those in quotes as one, and an option with its value as one.
    private static func units(of text: String) -> [String] {
        var units: [String] = []
        var isOpen = false
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let isValue = units.last.map { $0.hasPrefix("-") && !$0.contains(" ") } ?? false
            if isOpen || isValue && !word.hasPrefix("-"), let last = units.popLast() {
                units.append("\(last) \(word)")
            } else {
                units.append(String(word))
            }
            if word.count(where: { $0 == "'" }) % 2 == 1 { isOpen.toggle() }
        }
        return units
    }

    // MARK: Tables

    /// A table without the columns that there is no room for, the last ones first, and the titles of these. A column of words
    /// continues below instead, as long as it has some room.
    func columns(of table: ReportTable) -> (table: ReportTable, left: [String]) {
        guard let width else { return (table, []) }
        let all = naturalWidths(of: table)
        var shown = Array(table.columns.indices)
        while shown.count > 2, Self.total(shown.map { all[$0] }) > width,
            roomForWords(shown, all, table) ?? 0 < leastRoom(shown, all, table)
        { shown.removeLast() }
        guard shown.count < table.columns.count else { return (table, []) }
        var kept = table
        kept.columns = shown.map { table.columns[$0] }
        for row in table.rows.indices { kept.rows[row].cells = Array(table.rows[row].cells.prefix(shown.count)) }
        return (kept, table.columns[shown.count...].map(\.title).filter { !$0.isEmpty })
    }

    /// The widths of the columns, given the texts of all rows.
    func widths(of table: ReportTable, _ texts: [[String]]) -> [Int] {
        var widths = Self.widths(of: texts, table)
        guard let width, Self.total(widths) > width else { return widths }
        let shown = Array(widths.indices)
        if let column = widestWords(shown, widths, table), let room = roomForWords(shown, widths, table) {
            widths[column] = max(room, Self.leastWords)
        } else if let first = widths.first {
            // The names have what the figures leave.
            widths[0] = max(Self.leastWords, first - (Self.total(widths) - width))
        }
        return widths
    }

    private func naturalWidths(of table: ReportTable) -> [Int] {
        let titles = [table.columns.map(\.title)]
        return Self.widths(of: titles + table.rows.map { $0.cells.map { $0.text.showingControls() } }, table)
    }

    private static func widths(of texts: [[String]], _ table: ReportTable) -> [Int] {
        table.columns.indices.map { column in
            let all = texts.map { column < $0.count ? $0[column].terminalWidth : 0 }
            let isName = column == 0 && table.columns.count > 1
            return (isName ? all.filter { $0 <= widestName } : all).max() ?? 0
        }
    }

    // With two blanks before each column.
    private static func total(_ widths: [Int]) -> Int { widths.reduce(0) { $0 + $1 + 2 } }

    // The widest column of words behind the first column; `nil` where all are figures.
    private func widestWords(_ shown: [Int], _ widths: [Int], _ table: ReportTable) -> Int? {
        shown.dropFirst().filter { !table.columns[$0].isFigure }.max { widths[$0] < widths[$1] }
    }

    // The least room of the widest column of words: that of its longest word, unless it is longer than any name should be.
    private func leastRoom(_ shown: [Int], _ widths: [Int], _ table: ReportTable) -> Int {
        guard let column = widestWords(shown, widths, table) else { return Self.leastWords }
        let words = table.rows.flatMap { row in
            column < row.cells.count
                ? row.cells[column].text.split(separator: " ").map { String($0).terminalWidth } : []
        }
        return max(Self.leastWords, min(words.max() ?? 0, Self.widestName))
    }

    // The room that the other columns leave to the widest column of words.
    private func roomForWords(_ shown: [Int], _ widths: [Int], _ table: ReportTable) -> Int? {
        guard let width, let column = widestWords(shown, widths, table) else { return nil }
        return width - Self.total(shown.filter { $0 != column }.map { widths[$0] }) - 2
    }
}
