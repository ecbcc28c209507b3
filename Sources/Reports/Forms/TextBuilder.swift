internal import Documents

/// Puts a text report together: headings, and tables with aligned columns.
struct TextBuilder {
    let style: TextStyle
    private var lines: [String] = []

    /// How many entries of a ranking are shown.
    static let rankingLimit = 20

    init(style: TextStyle) {
        self.style = style
    }

    /// Whether there is none yet.
    var isEmpty: Bool { lines.isEmpty }

    /// The whole text.
    var finished: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

    mutating func line(_ text: String) { lines.append(text) }

    mutating func blank() { lines.append("") }

    mutating func heading(_ text: String) {
        if !lines.isEmpty { blank() }
        line(style.strong(text))
    }

    /// Adds rows: the first column to the left, and others of text; what else there is are numbers, to the right.
    mutating func table(_ rows: [[String]], textColumns: Set<Int> = []) {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].showingControls().count : 0 }.max() ?? 0
        }
        for row in rows {
            let cells = row.enumerated().map { column, cell in
                let cell = cell.showingControls()
                let isText = column == 0 || textColumns.contains(column)
                return isText ? cell.padded(to: widths[column]) : cell.rightAligned(to: widths[column])
            }
            line("  " + cells.joined(separator: "  ").trimmedEnd)
        }
    }

    /// Says how many entries of a ranking are not shown.
    mutating func more(_ count: Int) {
        if count > Self.rankingLimit { line("  and \((count - Self.rankingLimit).grouped) more") }
    }
}

extension String {
    /// The text with spaces behind it, up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with spaces before it, up to a width.
    func rightAligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
