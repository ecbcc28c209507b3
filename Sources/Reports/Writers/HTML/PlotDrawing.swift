internal import Documents

/// Draws a plot as SVG: whole pixels upwards, shares of the width sideways, so that it fits any width with letters of the
/// same size. Colours are attributes, which a content security policy without inline styles allows.
struct PlotDrawing {
    private let plot: ReportPlot
    private let table: ReportTable
    // The figure at the top of the scale.
    private let top: Int

    // In pixels.
    private static let (panelHeight, headHeight, footHeight, gap) = (120, 30, 20, 10)
    // In hundredths of a percent of the width.
    private static let (left, width) = (1100, 10_000)

    /// - Parameters:
    ///   - plot: The plot; at most ``ReportPlot/seriesLimit`` series.
    ///   - table: Its figures.
    init(_ plot: ReportPlot, of table: ReportTable) {
        self.plot = plot
        self.table = table
        top = Self.scale(atLeast: plot.maximum(of: table))
    }

    /// The colour of a series: each has a contrast of at least 3 to 1 with white and with what browsers show in the dark.
    static func colour(of tone: ReportPlot.Tone) -> String {
        switch tone {
        case .passed: "#3d7ebf"
        case .failed: "#c8650f"
        case .neutral: "#7a7f87"
        }
    }

    /// Writes the picture.
    ///
    /// - Parameter id: The start of the identifiers of its title and its description.
    func write(to output: inout HTMLOutput, id: String) {
        let height = plot.panels.count * (Self.panelHeight + Self.headHeight + Self.gap) + Self.footHeight
        let attributes: [HTMLOutput.Attribute] = [
            ("class", "plot"), ("role", "img"), ("aria-labelledby", "\(id)-title \(id)-desc"), ("width", "100%"),
            ("height", "\(height)"), ("font-family", "sans-serif"), ("font-size", "12"), ("fill", "currentColor"),
        ]
        output.element("svg", attributes) { output in
            output.element("title", [("id", "\(id)-title")], text: plot.title)
            output.element("desc", [("id", "\(id)-desc")], text: description)
            for (index, panel) in plot.panels.enumerated() {
                let y = index * (Self.panelHeight + Self.headHeight + Self.gap)
                draw(panel, at: y, in: &output)
            }
            drawMarks(at: height, in: &output)
        }
        output.line()
    }

    private var description: String {
        let rows = table.rows
        let span = (rows.first?.cells.first?.text ?? "") + " – " + (rows.last?.cells.first?.text ?? "")
        let series = plot.panels.map { panel in
            let names = panel.series.map(\.name).joined(separator: ", ")
            return panel.title.isEmpty ? names : "\(panel.title): \(names)"
        }
        return "Bars, \(plot.unit), from 0 to \(top.grouped), \(span); \(series.joined(separator: "; ")). "
            + "The table below has every figure."
    }

    /// The end of a scale that reaches a figure: an even number of one or two digits and zeros, at least 2.
    static func scale(atLeast value: Int) -> Int {
        var unit = 1
        while true {
            for step in [10, 20, 25, 50] where step * unit >= value * 10 && step * unit % 20 == 0 {
                return step * unit / 10
            }
            unit *= 10
        }
    }

    // `2 k` for 2000.
    private static func short(_ value: Int) -> String {
        let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")]
        guard let (unit, name) = units.first(where: { value >= 10 * $0.0 }) else { return value.grouped }
        let tenths = value / (unit / 10)
        return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
    }

    // `12.5%` for 1250.
    private static func percent(_ hundredths: Int) -> String {
        hundredths % 100 == 0 ? "\(hundredths / 100)%" : "\(hundredths / 100).\((hundredths % 100).padded)%"
    }
}

// MARK: Parts

extension PlotDrawing {
    private func draw(_ panel: ReportPlot.Panel, at y: Int, in output: inout HTMLOutput) {
        let title = panel.title.isEmpty ? plot.unit : "\(panel.title) (\(plot.unit))"
        output.element("text", [("x", "0"), ("y", "\(y + 12)"), ("font-weight", "bold")], text: title)
        let base = y + Self.headHeight + Self.panelHeight
        for (value, height) in [(0, 0), (top / 2, Self.panelHeight / 2), (top, Self.panelHeight)] {
            let line = base - height
            output.element(
                "line",
                [
                    ("x1", Self.percent(Self.left)), ("x2", "100%"), ("y1", "\(line)"), ("y2", "\(line)"),
                    ("stroke", "currentColor"), ("stroke-opacity", height == 0 ? "0.6" : "0.2"),
                ], text: "")
            let label: [HTMLOutput.Attribute] = [
                ("x", Self.percent(Self.left - 100)), ("y", "\(line + 4)"), ("text-anchor", "end"),
            ]
            output.element("text", label, text: Self.short(value))
        }
        for row in table.rows.indices { draw(row, of: panel, base: base, in: &output) }
        output.line()
    }

    // The bars of a row; with a title, which browsers show where the pointer rests.
    private func draw(_ row: Int, of panel: ReportPlot.Panel, base: Int, in output: inout HTMLOutput) {
        let figures = panel.series.map { table.figure(row: row, column: $0.column) }
        guard figures.contains(where: { $0 > 0 }) else { return }
        let words = zip(figures, panel.series).map { "\($0.grouped) \($1.name)" }.joined(separator: ", ")
        let bars = bars(of: row, figures, panel)
        output.element("g") { output in
            output.element("title", text: "\(table.rows[row].cells.first?.text ?? ""): \(words)")
            for (bar, series) in zip(bars, panel.series) where bar.height > 0 {
                output.element(
                    "rect",
                    [
                        ("x", Self.percent(bar.x)), ("width", Self.percent(bar.width)),
                        ("y", Self.pixels(base * 10 - bar.bottom - bar.height)),
                        // Whatever is not zero can be seen.
                        ("height", Self.pixels(max(bar.height, 5))), ("fill", Self.colour(of: series.tone)),
                    ], text: "")
            }
        }
    }

    // A bar: sideways in hundredths of a percent, upwards in tenths of a pixel.
    private struct Bar {
        let x, width, bottom, height: Int
    }

    private func bars(of row: Int, _ figures: [Int], _ panel: ReportPlot.Panel) -> [Bar] {
        let slot = (start: start(of: row), width: start(of: row + 1) - start(of: row))
        let (left, width) = (slot.start + slot.width / 10, max(2, slot.width * 8 / 10))
        var sum = 0
        return figures.enumerated().map { index, figure in
            if panel.isGrouped {
                let part = width / figures.count
                let height = figure > 0 ? max(1, tenths(of: figure)) : 0
                return Bar(x: left + part * index, width: max(1, part), bottom: 0, height: height)
            }
            let bottom = tenths(of: sum)
            sum += figure
            let height = figure > 0 ? max(1, tenths(of: sum) - bottom) : 0
            return Bar(x: left, width: width, bottom: bottom, height: height)
        }
    }

    private func drawMarks(at y: Int, in output: inout HTMLOutput) {
        for (row, mark) in plot.marks.sorted(by: { $0.key < $1.key }) {
            let x = (start(of: row) + start(of: row + 1)) / 2
            // At the right end it would run out of the picture.
            let anchor = x > 9500 ? "end" : "middle"
            output.element(
                "text",
                [("x", Self.percent(anchor == "end" ? Self.width : x)), ("y", "\(y - 12)"), ("text-anchor", anchor)],
                text: mark)
        }
    }

    private func start(of row: Int) -> Int {
        Self.left + (Self.width - Self.left) * row / max(1, table.rows.count)
    }

    private func tenths(of figure: Int) -> Int { figure * Self.panelHeight * 10 / top }

    private static func pixels(_ tenths: Int) -> String {
        tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension Int {
    fileprivate var padded: String { self < 10 ? "0\(self)" : "\(self)" }
}
