internal import Documents
internal import Statistics

/// An axis of shares or of differences between shares, from one round figure to another, with zero on it.
struct IntervalAxis {
    let least: Double
    let greatest: Double

    init(reaching values: some Sequence<Double>) {
        let (low, high) = values.reduce((0, 0)) { (min($0.0, $1), max($0.1, $1)) }
        greatest = high > 0 ? min(1, BarScale.round(high)) : 0
        least = low < 0 ? -min(1, BarScale.round(-low)) : 0
    }

    /// The place of a value, in hundredths of a percent of the width.
    func place(of value: Double) -> Int {
        let share = (value - least) / max(greatest - least, .leastNormalMagnitude)
        return min(10_000, max(0, Int((share * 10_000).rounded())))
    }

    /// Zero and other round values, the ends included.
    var ticks: [Double] {
        let step = BarScale.round((greatest - least) / 5)
        let first = (least / step).rounded(.up)
        let last = (greatest / step + 1e-9).rounded(.down)
        guard last >= first, last - first < 12 else { return [least, greatest] }
        return (Int(first)...Int(last)).map { Double($0) * step }
    }
}

/// Draws an interval in a row of a table, on an axis that all rows of the column have in common.
struct IntervalDrawing {
    private let axis: IntervalAxis
    private static let height = 12

    /// - Returns: `nil` for a column whose intervals are words alone.
    init?(of table: ReportTable, column index: Int) {
        guard table.columns[index].drawsIntervals else { return nil }
        let ends = table.rows.compactMap { index < $0.cells.count ? $0.cells[index].drawnInterval : nil }
        guard !ends.isEmpty else { return nil }
        axis = IntervalAxis(reaching: ends.flatMap { [$0.interval.lower, $0.interval.upper] })
    }

    /// Draws the ends of the axis above the rows.
    func drawTitle(in output: inout HTMLOutput) {
        HTMLTable.drawEnds(
            axis.least < 0 ? BarScale.percent(axis.least) : "0", BarScale.percent(axis.greatest), in: &output)
    }

    /// Draws the interval of a row; nothing for a cell that has none.
    func draw(_ cell: ReportTable.Cell, in output: inout HTMLOutput) {
        guard let (estimate, interval) = cell.drawnInterval else { return }
        let attributes: [HTMLOutput.Attribute] = [
            ("class", "bar"), ("aria-hidden", "true"), ("width", "100%"), ("height", "\(Self.height)"),
        ]
        output.element("svg", attributes) { output in
            if axis.least < 0 {
                output.line(at: axis.place(of: 0), from: -6, to: Self.height + 6, "line", "#bcc3cc")
            }
            output.interval(
                from: axis.place(of: interval.lower), to: axis.place(of: interval.upper), middle: Self.height / 2,
                height: 6, .neutral)
            output.element(
                "circle",
                [("cx", HTMLOutput.percent(axis.place(of: estimate))), ("cy", "\(Self.height / 2)"), ("r", "4")]
                    + [("class", "f-ink"), ("fill", "currentColor")], text: "")
        }
    }
}

/// Draws shares on an axis with a limit.
struct IntervalPlotDrawing {
    let plot: IntervalPlot

    // In pixels.
    private static let (top, rowHeight, foot) = (44, 34, 26)

    private var isNamed: Bool { plot.rows.contains { !$0.name.isEmpty } }

    /// Draws the plot with its caption.
    func draw(in output: inout HTMLOutput) {
        let axis = IntervalAxis(
            reaching: plot.rows.flatMap { [$0.interval.upper, $0.estimate] } + [plot.limit?.share ?? 0])
        let base = Self.top + plot.rows.count * Self.rowHeight
        output.element("figure", [("class", "plot")]) { output in
            output.element("figcaption") { $0.write(plot.title) }
            let attributes: [HTMLOutput.Attribute] = [
                ("width", "100%"), ("height", "\(base + Self.foot)"), ("role", "img"), ("aria-label", description),
            ]
            output.picture(attributes) { output in
                draw(axis, at: base, in: &output)
                if let limit = plot.limit { draw(limit, on: axis, to: base, in: &output) }
                for (index, row) in plot.rows.enumerated() {
                    draw(row, on: axis, middle: Self.top + index * Self.rowHeight + Self.rowHeight / 2, in: &output)
                }
            }
        }
        output.line()
    }

    private var description: String {
        let rows = plot.rows.map { row in
            (row.name.isEmpty ? "" : "\(row.name): ")
                + "\(ShareText.share(row.estimate, digits: 2)) % of the capture, "
                + "\(ShareText.interval(row.interval, digits: 2)) of all devices"
        }
        return (rows + (plot.limit.map { [$0.words] } ?? [])).joined(separator: "; ")
    }

    private func draw(_ axis: IntervalAxis, at base: Int, in output: inout HTMLOutput) {
        output.element(
            "line",
            [("x1", "0"), ("x2", "100%"), ("y1", "\(base)"), ("y2", "\(base)")] + HTMLOutput.stroke("line", "#bcc3cc"),
            text: "")
        for tick in axis.ticks {
            let place = axis.place(of: tick)
            output.line(at: place, from: base, to: base + 5, "line", "#bcc3cc")
            output.label(
                tick == 0 ? "0" : BarScale.percent(tick), at: place, y: base + 20,
                anchor: place == 0 ? "start" : place == 10_000 ? "end" : "middle", isMuted: true)
        }
    }

    private func draw(_ limit: IntervalPlot.Limit, on axis: IntervalAxis, to base: Int, in output: inout HTMLOutput) {
        let place = axis.place(of: limit.share)
        output.line(at: place, from: 0, to: base, "alarm", "#b0142e")
        let anchor = place > 8000 ? "end" : "start"
        output.element(
            "text",
            [
                ("x", HTMLOutput.percent(place)), ("dx", anchor == "end" ? "-7" : "7"), ("y", "11"),
                ("text-anchor", anchor), ("class", "f-alarm"), ("fill", "#b0142e"),
            ], text: limit.words)
    }

    private func draw(_ row: IntervalPlot.Row, on axis: IntervalAxis, middle: Int, in output: inout HTMLOutput) {
        let (low, high) = (axis.place(of: row.interval.lower), axis.place(of: row.interval.upper))
        output.interval(from: low, to: high, middle: middle, height: 14, row.tone)
        let place = axis.place(of: row.estimate)
        output.element(
            "circle",
            [("cx", HTMLOutput.percent(place)), ("cy", "\(middle)"), ("r", "7")] + PlotDrawing.paint(row.tone), text: ""
        )
        let figure = ShareText.share(row.estimate, digits: 2) + " %"
        output.label(
            row.name.isEmpty ? figure : "\(row.name): \(figure)", at: place, y: middle - 13,
            anchor: place < 1500 ? "start" : place > 8500 ? "end" : "middle", isStrong: true)
    }
}

extension HTMLOutput {
    /// Writes a picture whose words have the colour of the text around it, also on a page without styles.
    mutating func picture(_ attributes: [Attribute], _ content: (inout HTMLOutput) -> Void) {
        element("svg", attributes) { $0.element("g", [("fill", "currentColor")], content) }
    }

    /// The class and the colour of a line, for pages with a style and without one.
    static func stroke(_ name: String, _ colour: String) -> [Attribute] {
        [("class", "s-\(name)"), ("stroke", colour)]
    }

    /// An upright line at a place in hundredths of a percent of the width.
    mutating func line(at place: Int, from top: Int, to bottom: Int, _ name: String, _ colour: String) {
        let x = Self.percent(place)
        element(
            "line", [("x1", x), ("x2", x), ("y1", "\(top)"), ("y2", "\(bottom)")] + Self.stroke(name, colour), text: "")
    }

    /// A pale bar between the ends of an interval.
    mutating func interval(from low: Int, to high: Int, middle: Int, height: Int, _ tone: ReportPlot.Tone) {
        element(
            "rect",
            [
                ("x", Self.percent(low)), ("width", Self.percent(max(high - low, 20))), ("y", "\(middle - height / 2)"),
                ("height", "\(height)"), ("rx", "2"), ("fill-opacity", ".35"),
            ] + PlotDrawing.paint(tone), text: "")
    }

    /// Words in a picture.
    mutating func label(
        _ text: String, at place: Int, y: Int, anchor: String, isMuted: Bool = false, isStrong: Bool = false
    ) {
        element(
            "text",
            [("x", Self.percent(place)), ("y", "\(y)"), ("text-anchor", anchor)]
                + (isMuted ? [("class", "f-muted")] : [])
                + (isStrong ? [("class", "b halo"), ("font-weight", "600")] : []),
            text: text)
    }
}

extension ReportTable.Cell {
    fileprivate var drawnInterval: (estimate: Double, interval: ConfidenceInterval)? {
        guard case .interval(_, let estimate?, let interval?) = self else { return nil }
        return (estimate, interval)
    }
}
