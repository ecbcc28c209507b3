/// Draws a plot as SVG. Heights are in pixels and horizontal positions are shares of the width, so that a plot fits any width
/// with letters of the same size. Colours are attributes, which a content security policy without inline styles allows.
struct PlotDrawing {
    let plot: ReportPlot
    /// The figures of the plot.
    let table: ReportTable

    // The heights in pixels of the first panel, each panel below it, the title above each panel, and the marks at the bottom.
    private static let (firstHeight, lowerHeight, titleHeight, marksHeight) = (120, 50, 44, 24)
    // The left end of the bars and the right end of the plot, in hundredths of a percent of the width.
    private static let (left, width) = (1100, 10_000)

    /// The class and the colour of a tone. The style of a page sets the colour by the class; the colour here, for pages without
    /// styles, has a contrast of at least 3 to 1 with white and with the dark background of browsers.
    static func paint(_ tone: ReportPlot.Tone) -> [HTMLOutput.Attribute] {
        switch tone {
        case .better: [("class", "f-better"), ("fill", "#1a62b5")]
        case .worse: [("class", "f-worse"), ("fill", "#b4470b")]
        case .neutral: [("class", "f-neutral"), ("fill", "#828c9b")]
        }
    }

    /// Writes the picture.
    func write(to output: inout HTMLOutput) {
        let heights = plot.panels.indices.map { $0 == 0 ? Self.firstHeight : Self.lowerHeight }
        let height = heights.reduce(0) { $0 + $1 + Self.titleHeight } + Self.marksHeight
        let attributes: [HTMLOutput.Attribute] = [
            ("role", "img"), ("width", "100%"), ("height", "\(height)"),
        ]
        let letters: [HTMLOutput.Attribute] = [
            ("font-family", "sans-serif"), ("font-size", "12"), ("fill", "currentColor"),
        ]
        output.element("svg", attributes) { output in
            output.element("title", text: plot.title)
            output.element("desc", text: description)
            output.element("g", letters) { output in
                var top = 0
                for (panel, height) in zip(plot.panels, heights) {
                    PanelDrawing(panel, of: table, top: top + Self.titleHeight, height: height).draw(in: &output)
                    drawEvent(from: top + Self.titleHeight - 12, to: top + Self.titleHeight + height, in: &output)
                    top += Self.titleHeight + height
                }
                nameEvent(in: &output)
                drawMarks(at: height - 6, in: &output)
            }
        }
        output.line()
    }

    /// The names of what the colours mean, each once; none for panels with a single colour.
    var legend: [(name: String, tone: ReportPlot.Tone)] {
        var seen: Set<String> = []
        return plot.panels.flatMap { PanelDrawing($0, of: table, top: 0, height: 0).legend }
            .filter { seen.insert($0.name).inserted }
    }

    private var description: String {
        let rows = table.rows
        let span = (rows.first?.cells.first?.text ?? "") + " – " + (rows.last?.cells.first?.text ?? "")
        let panels = plot.panels.map { panel in
            let scale = PlotScale(of: panel, in: table)
            return "\(panel.title), from 0 to \(scale.words(scale.top)): "
                + panel.series.map(\.name).joined(separator: ", ")
        }
        return "Bars, \(span); \(panels.joined(separator: "; ")). The table below has every figure."
    }

    // The number of marks that have room on a phone.
    private static let narrowMarks = 5

    // Writes the marks below the rows. If there are many, every second one has the class `spare`, which a phone hides.
    private func drawMarks(at y: Int, in output: inout HTMLOutput) {
        let marks = plot.marks.sorted { $0.key < $1.key }
        for (number, (row, mark)) in marks.enumerated() {
            let isSpare = marks.count > Self.narrowMarks && number % 2 == 1
            let x = (start(of: row) + start(of: row + 1)) / 2
            // A centred mark would run out of the picture at the right end.
            let anchor = x > 9500 ? "end" : "middle"
            output.element(
                "text",
                [
                    ("x", HTMLOutput.percent(anchor == "end" ? Self.width : x)), ("y", "\(y)"),
                    ("text-anchor", anchor),
                ] + (isSpare ? [("class", "spare")] : []), text: mark)
        }
    }

    // The place of the event, in hundredths of a percent of the width.
    private func position(of event: ReportPlot.Event) -> Int {
        let (from, to) = (start(of: event.row), start(of: event.row + 1))
        return from + (to - from) * event.offset / 1000
    }

    // Draws the line of the event through a panel, but not through its title.
    private func drawEvent(from top: Int, to bottom: Int, in output: inout HTMLOutput) {
        guard let event = plot.event else { return }
        let x = HTMLOutput.percent(position(of: event))
        output.element(
            "line",
            [
                ("x1", x), ("x2", x), ("y1", "\(top)"), ("y2", "\(bottom)"), ("stroke", "currentColor"),
                ("stroke-dasharray", "4 3"),
            ], text: "")
    }

    // Writes the name of the event above the title of the first panel.
    private func nameEvent(in output: inout HTMLOutput) {
        guard let event = plot.event else { return }
        let x = position(of: event)
        output.element(
            "text",
            [("x", HTMLOutput.percent(x)), ("y", "10"), ("text-anchor", x > 8000 ? "end" : "start")],
            text: event.name)
    }

    private func start(of row: Int) -> Int { Self.start(of: row, of: table.rows.count) }

    /// The left end of a row, in hundredths of a percent of the width, if there are `count` rows.
    static func start(of row: Int, of count: Int) -> Int { left + (width - left) * row / max(1, count) }

    /// The right end of the labels of the scale, in hundredths of a percent of the width.
    static var labels: Int { left - 100 }
}

extension HTMLOutput {
    /// A number of hundredths of a percent as a percentage: `12.50%` for 1250.
    static func percent(_ hundredths: Int) -> String { shortened(hundredths, 100) + "%" }

    /// A number of tenths of a pixel in pixels: `12.5` for 125.
    static func pixels(_ tenths: Int) -> String { shortened(tenths, 10) }

    private static func shortened(_ value: Int, _ unit: Int) -> String {
        if value % unit == 0 { return "\(value / unit)" }
        let rest = value % unit
        return "\(value / unit).\(unit == 100 && rest < 10 ? "0" : "")\(rest)"
    }
}
