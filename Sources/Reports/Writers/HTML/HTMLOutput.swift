internal import Documents
internal import Statistics

/// HTML as bytes, put together piece by piece. Nothing else writes markup.
struct HTMLOutput {
    /// The output so far.
    private(set) var bytes: [UInt8] = []

    /// An attribute of an element: a name that is written in the program, and any value.
    typealias Attribute = (name: StaticString, value: String)

    /// Writes an element with what is inside.
    mutating func element(
        _ name: StaticString, _ attributes: [Attribute] = [], _ content: (inout HTMLOutput) -> Void
    ) {
        open(name, attributes)
        content(&self)
        close(name)
    }

    /// Writes an element with a text inside.
    mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Writes the start of an element; of one that has no end, the whole.
    mutating func open(_ name: StaticString, _ attributes: [Attribute] = []) {
        raw("<")
        raw(name)
        for (name, value) in attributes {
            raw(" ")
            raw(name)
            raw("=\"")
            text(value)
            raw("\"")
        }
        raw(">")
    }

    /// Writes the end of an element.
    mutating func close(_ name: StaticString) {
        raw("</")
        raw(name)
        raw(">")
    }

    /// Writes a text; whatever it holds, it becomes no markup.
    mutating func text(_ text: String) {
        HTMLText.append(text, to: &bytes)
    }

    /// Writes an end of a line, for whoever reads the source.
    mutating func line() { raw("\n") }

    /// Writes a text that is written in the program and is markup already.
    mutating func raw(_ text: StaticString) { VisibleText.appendLiteral(text, to: &bytes) }
}

// Texts with emphasis.
extension HTMLOutput {
    /// Writes a text of which parts have an emphasis.
    mutating func write(_ text: ReportText) {
        for span in text.spans { write(span.text, span.emphasis) }
    }

    fileprivate mutating func write(_ text: String, _ emphasis: ReportText.Emphasis) {
        switch emphasis {
        case .plain: quoted(text)
        case .strong: element("strong") { $0.quoted(text) }
        case .good, .bad: element("b", [("class", emphasis.className)]) { $0.quoted(text) }
        }
    }

    // Words between backticks are shown as what is typed.
    private mutating func quoted(_ text: String) {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard parts.count % 2 == 1 else { return self.text(text) }
        for (index, part) in parts.enumerated() {
            if index % 2 == 1 { element("code") { $0.command(part) } } else { self.text(part) }
        }
    }
}

extension ReportText.Emphasis {
    /// The name of the emphasis in the style of a page.
    var className: String {
        switch self {
        case .plain: "plain"
        case .strong: "strong"
        case .good: "better"
        case .bad: "worse"
        }
    }
}

// Parts of tables.
extension HTMLOutput {
    /// Writes the titles of the columns, if there are any.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - greatest: The greatest figure of each column that has bars.
    mutating func titles(of table: ReportTable, _ greatest: [Int]) {
        guard table.columns.contains(where: { !$0.pageTitle.isEmpty }) else { return }
        element("thead") { output in
            output.element("tr") { output in
                for (index, column) in table.columns.enumerated() {
                    // A cell without a title heads nothing.
                    let name: StaticString = column.pageTitle.isEmpty ? "td" : "th"
                    let scope: [Attribute] = column.pageTitle.isEmpty ? [] : [("scope", "col")]
                    // The title is above the figures, and not above what is drawn beside them.
                    let hasBars = column.bars != nil && greatest[index] > 0
                    let drawn = hasBars ? "bars" : table.hasIntervals(column: index) ? "intervals" : nil
                    output.element(
                        name, scope + (drawn.map { [("class", "figure \($0)")] } ?? column.placement),
                        text: column.pageTitle)
                }
            }
        }
        line()
    }

    /// Writes a row; cells that it lacks at its end are empty.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - table: Its table.
    ///   - greatest: The greatest figure of each column that has bars.
    ///   - attributes: The attributes of the row.
    mutating func row(
        _ row: ReportTable.Row, of table: ReportTable, _ greatest: [Int], _ attributes: [Attribute]
    ) {
        element("tr", attributes) { output in
            for index in 0..<max(table.columns.count, row.cells.count) {
                let cell = index < row.cells.count ? row.cells[index] : .text("")
                let column = index < table.columns.count ? table.columns[index] : .text()
                let isHead = index == 0 && !cell.text.isEmpty
                var attributes: [Attribute] = isHead ? [("scope", "row")] : []
                if case .time = cell { attributes.append(("class", "time")) }
                let isZero = column.isFigure && cell.isZero
                attributes += isZero ? [("class", "figure zero")] : column.placement
                output.element(isHead ? "th" : "td", attributes) { output in
                    output.write(cell)
                    if isHead, let note = row.note { output.note(note) }
                    if let tone = column.bars, greatest[index] > 0 {
                        output.text(" ")
                        output.bar(width: Self.barWidth, part: cell.figure * Self.barWidth / greatest[index], tone)
                    }
                    if let drawing = IntervalDrawing(cell, of: table, column: index) { drawing.draw(in: &output) }
                }
            }
        }
        line()
    }

    private static let barWidth = 64

    /// Writes a bar that repeats the figure beside it.
    mutating func bar(width: Int, part: Int, _ tone: ReportPlot.Tone) {
        let attributes: [Attribute] = [
            ("class", "bar"), ("aria-hidden", "true"), ("width", "\(width)"), ("height", "10"),
        ]
        element("svg", attributes) { output in
            guard part > 0 else { return }
            output.element("rect", [("width", "\(part)"), ("height", "10")] + PlotDrawing.paint(tone), text: "")
        }
    }

    private mutating func note(_ text: String) {
        open("br")
        element("small", text: text)
    }

    private mutating func write(_ cell: ReportTable.Cell) {
        switch cell {
        case .code(let text): code(text)
        case .name(_, let spoken): name(spoken)
        case .text, .time, .number, .share, .seconds, .interval: write(cell.text, cell.emphasis)
        }
    }

    // Long words without a space may end a line here and there, which a copy of them does not show.
    private mutating func code(_ text: String) {
        guard !text.isEmpty else { return }
        element("code") { output in
            if text.contains(" ") { return output.command(text) }
            output.pieces(of: text) { last, length in
                length >= Self.pieceLength || (Self.joints.contains(last) && length > 3)
            }
        }
    }

    /// Writes a command or a line of output, whose options are not broken behind their dashes.
    mutating func command(_ text: String) {
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { self.text(" ") }
            if word.hasPrefix("-"), (2..<Self.optionLength).contains(word.utf8.count) {
                element("span", [("class", "option")], text: String(word))
            } else {
                self.text(String(word))
            }
        }
    }

    private static let optionLength = 32

    // A line ends behind these rather than within a word.
    private static let joints: Set<Character> = ["-", ":", "=", ",", "/"]

    private static let pieceLength = 12

    // The name of an app may end a line behind its parts; a very long one is cut instead.
    private mutating func name(_ text: String) {
        guard text.utf8.count <= Self.nameLength else { return self.text(text) }
        pieces(of: text) { last, length in (last == "." || last == "-") && length > 3 }
    }

    private static let nameLength = 200

    /// Writes a title, which may end a line behind the parts of a policy or a path.
    mutating func title(_ text: String) {
        pieces(of: text) { last, length in (last == "," || last == "/") && length > 3 }
    }

    private mutating func pieces(of text: String, isEnd: (_ last: Character, _ length: Int) -> Bool) {
        var (piece, length) = ("", 0)
        for character in text {
            if let last = piece.last, isEnd(last, length) {
                self.text(piece)
                open("wbr")
                (piece, length) = ("", 0)
            }
            piece.append(character)
            length += 1
        }
        self.text(piece)
    }
}

extension ReportTable {
    /// The greatest figure of each column, to which its bars are drawn; 0 where it has no bars.
    var greatest: [Int] {
        columns.indices.map { column in
            guard columns[column].bars != nil else { return 0 }
            return rows.indices.map { figure(row: $0, column: column) }.max() ?? 0
        }
    }
}

extension ReportTable.Column {
    fileprivate var placement: [HTMLOutput.Attribute] { isFigure ? [("class", "figure")] : [] }
}

/// Draws the interval of a share or of a difference as a line, with a dot for the estimate, on a scale from 0 that all rows of a
/// column have in common: one row of a forest plot.
struct IntervalDrawing {
    // `nil` for an interval that has no place on the scale, beside which the column stays empty.
    private let drawn: (estimate: Double, interval: ConfidenceInterval)?
    private let least: Double
    private let greatest: Double

    // In pixels.
    private static let (width, height, radius) = (160, 12, 3)

    /// - Returns: `nil` for other cells, and in columns without an interval that has numbers.
    init?(_ cell: ReportTable.Cell, of table: ReportTable, column: Int) {
        guard case .interval = cell else { return nil }
        let intervals = table.drawnIntervals(column: column)
        guard !intervals.isEmpty else { return nil }
        drawn = cell.drawnInterval
        greatest = max(intervals.map(\.interval.upper).max() ?? 1, 0)
        least = min(intervals.map(\.interval.lower).min() ?? 0, 0)
    }

    /// Draws it beside its text, which says the same.
    func draw(in output: inout HTMLOutput) {
        output.text(" ")
        let attributes: [HTMLOutput.Attribute] = [
            ("class", "interval"), ("aria-hidden", "true"), ("width", "\(Self.width)"), ("height", "\(Self.height)"),
        ]
        output.element("svg", attributes) { output in
            guard let (estimate, interval) = drawn else { return }
            let middle = "\(Self.height / 2)"
            if least < 0 {
                let zero: [HTMLOutput.Attribute] = [
                    ("x1", x(0)), ("x2", x(0)), ("y1", "0"), ("y2", "\(Self.height)"), ("stroke", "currentColor"),
                    ("stroke-opacity", "0.3"),
                ]
                output.element("line", zero, text: "")
            }
            output.element(
                "line",
                [
                    ("x1", x(interval.lower)), ("x2", x(interval.upper)), ("y1", middle), ("y2", middle),
                    ("stroke", "currentColor"), ("stroke-width", "2"), ("stroke-opacity", "0.6"),
                ], text: "")
            output.element(
                "circle",
                [("cx", x(estimate)), ("cy", middle), ("r", "\(Self.radius)"), ("fill", "currentColor")], text: "")
        }
    }

    // In tenths of a pixel, so that dots at both ends are whole.
    private func x(_ value: Double) -> String {
        let room = Double(Self.width - 2 * Self.radius) * 10
        let share = (value - least) / max(greatest - least, .leastNormalMagnitude)
        return HTMLOutput.pixels(Self.radius * 10 + Int((share * room).rounded()))
    }
}

extension ReportTable {
    /// The intervals of a column that have a place on a scale.
    fileprivate func drawnIntervals(column: Int) -> [(estimate: Double, interval: ConfidenceInterval)] {
        rows.compactMap { column < $0.cells.count ? $0.cells[column].drawnInterval : nil }
    }

    /// True if a page draws intervals in a column.
    func hasIntervals(column: Int) -> Bool { !drawnIntervals(column: column).isEmpty }
}

extension ReportTable.Cell {
    fileprivate var drawnInterval: (estimate: Double, interval: ConfidenceInterval)? {
        guard case .interval(_, let estimate?, let interval?) = self else { return nil }
        return (estimate, interval)
    }
}
