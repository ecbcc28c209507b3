internal import Documents

/// Draws dots on two axes from zero; what is far beyond all others is left out, and said.
struct DotPlotDrawing {
    private let plot: DotPlot
    private let across: BarScale
    private let up: BarScale

    // In pixels, and in hundredths of a percent of the width.
    private static let (top, height, foot) = (28, 160, 40)
    private static let (left, right) = (700, 9700)
    // The number of dots of a kind that have their names beside them.
    private static let namedLimit = 3

    init(_ plot: DotPlot) {
        self.plot = plot
        across = BarScale(reaching: plot.dots.map { Double($0.across) }, isShare: false)
        up = BarScale(reaching: plot.dots.map { Double($0.up) }, isShare: false)
    }

    /// Draws the plot with its caption.
    func draw(in output: inout HTMLOutput) {
        let shown = plot.dots.filter { !across.cuts(Double($0.across)) && !up.cuts(Double($0.up)) }
        output.element("figure", [("class", "plot")]) { output in
            output.element("figcaption") { output in
                output.text("Ring: now. Filled: efficient edits. Small rings: other edits.")
                let beyond = plot.dots.count - shown.count
                if beyond > 0 { output.text(" Beyond an axis: \(beyond.counting("edit")).") }
            }
            let attributes: [HTMLOutput.Attribute] = [
                ("width", "100%"), ("height", "\(Self.top + Self.height + Self.foot)"), ("role", "img"),
                ("aria-label", plot.title),
            ]
            output.picture(attributes) { output in
                drawAxes(in: &output)
                for kind in [DotPlot.Kind.other, .chosen, .now] {
                    for dot in shown where dot.kind == kind { draw(dot, in: &output) }
                }
                drawNames(of: shown, in: &output)
            }
        }
        output.line()
    }

    private func x(_ value: Int) -> Int {
        Self.left + across.length(of: Double(value)) * (Self.right - Self.left) / 10_000
    }

    private func y(_ value: Int) -> Int { Self.top + Self.height - up.length(of: Double(value)) * Self.height / 10_000 }

    private func drawAxes(in output: inout HTMLOutput) {
        output.label(plot.up, at: 0, y: 11, anchor: "start", isMuted: true)
        for part in 0...2 {
            let (high, wide) = (Int(up.end) * part / 2, Int(across.end) * part / 2)
            let line: [HTMLOutput.Attribute] = [
                ("x1", HTMLOutput.percent(Self.left)), ("x2", "100%"), ("y1", "\(y(high))"), ("y2", "\(y(high))"),
            ]
            output.element(
                "line", line + HTMLOutput.stroke(part == 0 ? "line" : "rule", part == 0 ? "#bcc3cc" : "#e3e6ea"),
                text: "")
            output.label(high.grouped, at: Self.left - 150, y: y(high) + 4, anchor: "end", isMuted: true)
            output.label(wide.grouped, at: x(wide), y: Self.top + Self.height + 20, anchor: "middle", isMuted: true)
        }
        output.label(plot.across, at: 10_000, y: Self.top + Self.height + 37, anchor: "end", isMuted: true)
    }

    private func draw(_ dot: DotPlot.Dot, in output: inout HTMLOutput) {
        let place: [HTMLOutput.Attribute] = [("cx", HTMLOutput.percent(x(dot.across))), ("cy", "\(y(dot.up))")]
        let look: [HTMLOutput.Attribute] =
            switch dot.kind {
            case .now:
                [("r", "8"), ("fill", "none"), ("stroke-width", "2.5")] + HTMLOutput.stroke("ink", "currentColor")
            case .chosen: [("r", "6")] + PlotDrawing.paint(.better)
            case .other: [("r", "4"), ("fill", "none")] + HTMLOutput.stroke("neutral", "#828c9b")
            }
        output.element("circle", place + look) { output in
            output.element(
                "title", text: "\(dot.name): \(plot.up) \(dot.up.grouped), \(plot.across) \(dot.across.grouped)")
        }
    }

    // The names of the account and of the first efficient edits, one of several at the same place.
    private func drawNames(of dots: [DotPlot.Dot], in output: inout HTMLOutput) {
        var taken: [(x: Int, y: Int)] = []
        let named = dots.filter { $0.kind == .now } + dots.filter { $0.kind == .chosen }.prefix(Self.namedLimit)
        for dot in named {
            let (x, y) = (x(dot.across), y(dot.up))
            if taken.contains(where: { abs($0.x - x) < 3000 && abs($0.y - y) < 18 }) { continue }
            taken.append((x, y))
            let isRight = x > 6500
            output.element(
                "text",
                [
                    ("x", HTMLOutput.percent(x)), ("dx", isRight ? "-12" : "12"), ("y", "\(y - 8)"),
                    ("text-anchor", isRight ? "end" : "start"), ("class", "b halo"), ("font-weight", "600"),
                ], text: dot.name)
        }
    }
}
