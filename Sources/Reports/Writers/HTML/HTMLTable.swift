internal import Documents

/// A table of a page: names to the left, figures to the right under their titles, bars and intervals in columns of their own.
struct HTMLTable {
    private let table: ReportTable
    private let drawings: [Drawing]

    // The picture beside the words of a column.
    fileprivate enum Drawing {
        case none
        case bars(BarScale, ReportPlot.Tone)
        case intervals(IntervalDrawing)
    }

    init(_ table: ReportTable, _ scales: BarScales) {
        self.table = table
        drawings = table.columns.indices.map { index in
            let column = table.columns[index]
            if let scale = scales[column], let tone = column.bars { return .bars(scale, tone) }
            return IntervalDrawing(of: table, column: index).map { .intervals($0) } ?? .none
        }
    }

    /// The number of columns, those of pictures included.
    var columnCount: Int {
        table.columns.count
            + drawings.count { if case .none = $0 { false } else { true } }
    }

    // Several pictures share the room that one has.
    private var drawnClass: String { drawings.count(where: \.isShown) > 1 ? "b s" : "b" }

    // The number of columns that a narrow window has room for; wider rows become pairs of a title and a figure.
    private static let narrowCount = 4
    // The number of columns beyond which a window of middle size has less room for each.
    private static let manyCount = 9

    /// The attributes of the table.
    var attributes: [HTMLOutput.Attribute] {
        isStacked ? [("class", columnCount > Self.manyCount ? "stack many" : "stack")] : []
    }

    private var isStacked: Bool {
        columnCount > Self.narrowCount || columnCount == Self.narrowCount && table.rows.contains(where: \.hasDifference)
    }

    // MARK: Titles

    /// Writes the titles of the columns, if there are any.
    func writeTitles(to output: inout HTMLOutput) {
        guard table.columns.contains(where: { !$0.pageTitle.isEmpty }) else { return }
        output.element("thead") { output in
            output.element("tr") { output in
                for (index, column) in table.columns.enumerated() {
                    // A cell without a title heads nothing.
                    let name: StaticString = column.pageTitle.isEmpty ? "td" : "th"
                    let scope: [HTMLOutput.Attribute] = column.pageTitle.isEmpty ? [] : [("scope", "col")]
                    output.element(name, scope + placement(of: index), text: column.pageTitle)
                    writeScale(of: index, to: &output)
                }
            }
        }
        output.line()
    }

    private func writeScale(of index: Int, to output: inout HTMLOutput) {
        guard drawings[index].isShown else { return }
        output.element("td", [("class", drawnClass)]) { output in
            switch drawings[index] {
            case .none: break
            case .bars(let scale, _): Self.drawEnds("0", scale.words, in: &output)
            case .intervals(let drawing): drawing.drawTitle(in: &output)
            }
        }
    }

    /// Draws the words for both ends of a scale.
    static func drawEnds(_ first: String, _ last: String, in output: inout HTMLOutput) {
        let attributes: [HTMLOutput.Attribute] = [
            ("width", "100%"), ("height", "14"), ("aria-hidden", "true"),
        ]
        output.picture(attributes) { output in
            output.label(first, at: 0, y: 11, anchor: "start", isMuted: true)
            output.label(last, at: 10_000, y: 11, anchor: "end", isMuted: true)
        }
    }

    // The class of a column: its width follows from its longest figure, so that right ends of tables meet.
    private func placement(of index: Int) -> [HTMLOutput.Attribute] {
        let column = table.columns[index]
        guard column.isFigure else { return textPlacement(of: index) }
        switch longest(index) {
        case ...9: return [("class", "n")]
        case ...13: return [("class", "n w")]
        case ...22: return [("class", "n ww")]
        default: return [("class", "n xl")]
        }
    }

    // The number of characters of the longest cell of a column, or of the longest word of its title.
    private func longest(_ index: Int) -> Int {
        let words = table.columns[index].pageTitle.split(separator: " ").map(\.count)
        let cells = table.rows.map { index < $0.cells.count ? $0.cells[index].text.count : 0 }
        return max(words.max() ?? 0, cells.max() ?? 0)
    }

    // The number of characters of short words, which leave their room to a column of sentences, and the least one of these.
    private static let (shortWords, sentences) = (14, 24)

    private func textPlacement(of index: Int) -> [HTMLOutput.Attribute] {
        if table.rows.contains(where: \.hasDifference), index == 0 { return [("class", "m")] }
        let hasSentences = table.columns.indices.contains {
            !table.columns[$0].isFigure && longest($0) > Self.sentences
        }
        return hasSentences && longest(index) <= Self.shortWords ? [("class", "t")] : []
    }

    // MARK: Rows

    /// Writes a row; cells that it lacks at its end are empty.
    func write(_ row: ReportTable.Row, _ attributes: [HTMLOutput.Attribute], to output: inout HTMLOutput) {
        output.element("tr", attributes) { output in
            for index in table.columns.indices {
                let cell = index < row.cells.count ? row.cells[index] : .text("")
                let isHead = index == 0 && !cell.text.isEmpty
                output.element(isHead ? "th" : "td", self.attributes(of: cell, at: index, isHead: isHead)) { output in
                    output.write(cell)
                    if isHead, let note = row.note {
                        output.text(" ")
                        output.element("small", text: note)
                    }
                }
                writeDrawing(of: cell, at: index, to: &output)
            }
        }
        output.line()
    }

    private func attributes(of cell: ReportTable.Cell, at index: Int, isHead: Bool) -> [HTMLOutput.Attribute] {
        var attributes: [HTMLOutput.Attribute] = isHead ? [("scope", "row")] : []
        if case .time = cell { attributes.append(("class", "time")) }
        if case .difference = cell { attributes.append(("class", "d")) }
        let title = table.columns[index].pageTitle
        if isStacked, !isHead, !title.isEmpty { attributes.append(("data-h", title)) }
        let placement = placement(of: index)
        guard table.columns[index].isFigure, cell.isZero, let name = placement.first?.value else {
            return attributes + placement
        }
        return attributes + [("class", "\(name) zero")]
    }

    private func writeDrawing(of cell: ReportTable.Cell, at index: Int, to output: inout HTMLOutput) {
        guard drawings[index].isShown else { return }
        output.element("td", [("class", drawnClass)]) { output in
            switch drawings[index] {
            case .none: break
            case .bars(let scale, let tone): draw(cell, at: index, on: scale, tone, in: &output)
            case .intervals(let drawing): drawing.draw(cell, in: &output)
            }
        }
    }

    // A bar that repeats the figure beside it, and the share of all devices as a line through all bars.
    private func draw(
        _ cell: ReportTable.Cell, at index: Int, on scale: BarScale, _ tone: ReportPlot.Tone,
        in output: inout HTMLOutput
    ) {
        let attributes: [HTMLOutput.Attribute] = [
            ("class", "bar"), ("aria-hidden", "true"), ("width", "100%"), ("height", "10"),
        ]
        output.element("svg", attributes) { output in
            if let figure = cell.length, figure > 0 {
                // Whatever is not zero can be seen.
                let width = HTMLOutput.percent(max(scale.length(of: figure), 30))
                output.element("rect", [("width", width), ("height", "10")] + PlotDrawing.paint(tone), text: "")
                if scale.cuts(figure) {
                    for place in [9500, 9700] { output.line(at: place, from: -1, to: 11, "bg", "#fff") }
                }
            }
            if let reference = table.columns[index].reference?.length {
                output.line(at: scale.length(of: reference), from: -12, to: 22, "ink", "currentColor")
            }
        }
    }
}

extension ReportTable.Row {
    fileprivate var hasDifference: Bool { cells.contains { if case .difference = $0 { true } else { false } } }
}

extension HTMLTable.Drawing {
    fileprivate var isShown: Bool { if case .none = self { false } else { true } }
}

extension ReportTable {
    // A table of fewer rows is read at a look.
    private static let equalRows = 3

    /// The table without the columns that a page leaves out.
    var onPage: ReportTable {
        columns.allSatisfy(\.isOnPage) ? self : keeping(columns.indices.filter { columns[$0].isOnPage })
    }

    // The number of rows beyond which a narrow table folds the rest, and the number of those that stay.
    private static let (longRows, openRows) = (12, 8)

    /// The first rows, and the rest of a long table.
    var split: (first: ReportTable, rest: ReportTable?) {
        guard rows.count > Self.longRows else { return (self, nil) }
        var (first, rest) = (self, self)
        first.rows = Array(rows.prefix(Self.openRows))
        rest.rows = Array(rows.dropFirst(Self.openRows))
        first.omitted = 0
        return (first, rest)
    }

    private func keeping(_ kept: [Int]) -> ReportTable {
        var table = self
        table.columns = kept.map { columns[$0] }
        for row in rows.indices {
            table.rows[row].cells = kept.compactMap { $0 < rows[row].cells.count ? rows[row].cells[$0] : nil }
        }
        return table
    }

    /// The table without columns whose cells are all equal, and these in a sentence; no sentence where there are none.
    var withoutEqualColumns: (table: ReportTable, sentence: String?) {
        guard rows.count >= Self.equalRows, omitted == 0 else { return (self, nil) }
        let equal = columns.indices.dropFirst().filter { column in
            let texts = Set(rows.map { column < $0.cells.count ? $0.cells[column].text : "" })
            return texts.count == 1 && !columns[column].pageTitle.isEmpty && columns[column].bars == nil
        }
        guard !equal.isEmpty, equal.count < columns.count - 1 else { return (self, nil) }
        let table = keeping(columns.indices.filter { !equal.contains($0) })
        let words = equal.map { "\(columns[$0].pageTitle) \(rows[0].cells[$0].text)" }
        return (table, "In every row: \(words.joined(separator: ", "))")
    }
}
