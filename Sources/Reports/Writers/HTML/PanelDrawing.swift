/// Draws a panel of a plot: its heading, its scale and its bars.
struct PanelDrawing {
    private let panel: ReportPlot.Panel
    private let table: ReportTable
    private let scale: PlotScale
    // In pixels.
    private let base: Int
    private let height: Int

    /// - Parameters:
    ///   - panel: The panel.
    ///   - table: Its figures.
    ///   - top: The upper end of the scale, in pixels; the heading is above it.
    ///   - height: The height of the scale.
    init(_ panel: ReportPlot.Panel, of table: ReportTable, top: Int, height: Int) {
        (self.panel, self.table, self.height) = (panel, table, height)
        (scale, base) = (PlotScale(of: panel, in: table), top + height)
    }

    /// Draws it.
    func draw(in output: inout HTMLOutput) {
        let title = ReportText(panel.title).capitalized.spans.map(\.text).joined()
        output.element("text", [("x", "0"), ("y", "\(base - height - 18)"), ("font-weight", "bold")], text: title)
        for value in [0, scale.top / 2, scale.top] where value * 2 != scale.top || height > 60 {
            drawLine(at: value, in: &output)
        }
        for row in table.rows.indices { draw(row, in: &output) }
        output.line()
    }

    private func drawLine(at value: Int, in output: inout HTMLOutput) {
        let y = base - height * value / scale.top
        output.element(
            "line",
            [
                ("x1", HTMLOutput.percent(PlotDrawing.start(of: 0, of: 1))), ("x2", "100%"), ("y1", "\(y)"),
                ("y2", "\(y)"),
            ] + (value == 0 ? HTMLOutput.stroke("line", "#bcc3cc") : HTMLOutput.stroke("rule", "#e3e6ea")), text: "")
        let label: [HTMLOutput.Attribute] = [
            ("x", HTMLOutput.percent(PlotDrawing.labels)), ("y", "\(y + 4)"), ("text-anchor", "end"),
        ]
        output.element("text", label, text: scale.words(value))
    }

    /// The words for the colours, where there are several.
    var legend: [(name: String, tone: ReportPlot.Tone)] {
        guard panel.shape == .change else {
            return panel.series.count > 1 ? panel.series.map { ($0.name, $0.tone) } : []
        }
        let tones = table.rows.indices.flatMap { row in layers(figures(of: row)).filter { $0.0 > 0 }.map(\.1) }
        // Without a change the title of the panel has said it.
        guard tones.contains(where: { $0 != .neutral }) else { return [] }
        return [("failing", .neutral), ("more after the change", .worse), ("fewer after the change", .better)].filter {
            tones.contains($0.1)
        }
    }

    private func figures(of row: Int) -> [Int] { panel.series.map { table.figure(row: row, column: $0.column) } }

    // The bars of a row; with a title, which browsers show where the pointer rests.
    private func draw(_ row: Int, in output: inout HTMLOutput) {
        let figures = figures(of: row)
        guard figures.contains(where: { $0 > 0 }) else { return }
        drawFigure(of: row, figures, in: &output)
        output.element("g") { output in
            output.element("title", text: words(row))
            for bar in bars(of: row, figures) where bar.height > 0 {
                output.element(
                    "rect",
                    [
                        ("x", HTMLOutput.percent(bar.x)), ("width", HTMLOutput.percent(bar.width)),
                        ("y", HTMLOutput.pixels(base * 10 - bar.bottom - bar.height)),
                        // Whatever is not zero can be seen.
                        ("height", HTMLOutput.pixels(max(bar.height, 5))),
                    ] + PlotDrawing.paint(bar.tone), text: "")
            }
        }
    }

    // The number of bars beside which there is room for their figures.
    private static let labelled = 12

    // The greatest figure of a row, above its bar; low panels have no room for it.
    private func drawFigure(of row: Int, _ figures: [Int], in output: inout HTMLOutput) {
        guard table.rows.count <= Self.labelled, height > 60, panel.shape != .grouped else { return }
        let figure = panel.shape == .change ? figures.max() ?? 0 : figures.reduce(0, +)
        let middle =
            (PlotDrawing.start(of: row, of: table.rows.count) + PlotDrawing.start(of: row + 1, of: table.rows.count))
            / 2
        output.label(
            scale.figure(figure), at: middle, y: base - tenths(of: figure) / 10 - 6,
            anchor: "middle", isStrong: true)
    }

    private func words(_ row: Int) -> String {
        let figures = panel.series.map { "\($0.name) \(table.rows[row].cells[$0.column].text)" }
        return "\(table.rows[row].cells.first?.text ?? ""): \(figures.joined(separator: ", "))"
    }

    // A bar: sideways in hundredths of a percent, upwards in tenths of a pixel.
    private struct Bar {
        let x, width, bottom, height: Int
        let tone: ReportPlot.Tone
    }

    private func bars(of row: Int, _ figures: [Int]) -> [Bar] {
        let slot = PlotDrawing.start(of: row, of: table.rows.count)
        let full = PlotDrawing.start(of: row + 1, of: table.rows.count) - slot
        let (left, width) = (slot + full / 10, max(2, full * 8 / 10))
        if panel.shape == .grouped {
            let part = width / figures.count
            return figures.enumerated().map { index, figure in
                Bar(
                    x: left + part * index, width: max(1, part), bottom: 0, height: height(from: 0, to: figure),
                    tone: panel.series[index].tone)
            }
        }
        var sum = 0
        return layers(figures).map { figure, tone in
            let bottom = sum
            sum += figure
            return Bar(
                x: left, width: width, bottom: tenths(of: bottom), height: height(from: bottom, to: sum), tone: tone)
        }
    }

    // The figures upon each other, from the bottom up.
    private func layers(_ figures: [Int]) -> [(Int, ReportPlot.Tone)] {
        guard panel.shape == .change, figures.count == 2 else { return Array(zip(figures, panel.series.map(\.tone))) }
        let (before, after) = (figures[0], figures[1])
        return [(min(before, after), .neutral), (abs(after - before), after > before ? .worse : .better)]
    }

    private func height(from bottom: Int, to top: Int) -> Int {
        top > bottom ? max(1, tenths(of: top) - tenths(of: bottom)) : 0
    }

    private func tenths(of figure: Int) -> Int { figure * height * 10 / scale.top }
}
