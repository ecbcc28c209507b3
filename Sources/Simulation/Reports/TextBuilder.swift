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

extension Int {
    /// The digits with a separator between thousands: `1,234,567`.
    package var grouped: String {
        let digits = Array(String(magnitude))
        var text = ""
        for (offset, digit) in digits.enumerated() {
            if offset > 0, (digits.count - offset) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }

    /// This as a share of a total, rounded half up: `12.5 %`.
    func share(of total: Int) -> String {
        guard total > 0 else { return "–" }
        let tenths = (self * 2000 + total) / (2 * total)
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
