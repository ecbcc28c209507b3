internal import Statistics

/// Draws the interval of a share or of a difference as a line, with a dot for the estimate, on a scale from 0 that all rows of a
/// column have in common: one row of a forest plot.
struct IntervalDrawing {
    private let interval: ConfidenceInterval
    private let estimate: Double
    private let least: Double
    private let greatest: Double

    // In pixels.
    private static let (width, height, radius) = (160, 12, 3)

    /// - Returns: `nil` for other cells, and for intervals without numbers.
    init?(_ cell: ReportTable.Cell, of table: ReportTable, column: Int) {
        guard let (estimate, interval) = Self.numbers(of: cell) else { return nil }
        (self.estimate, self.interval) = (estimate, interval)
        let cells = table.rows.compactMap { column < $0.cells.count ? $0.cells[column] : nil }
        greatest = max(cells.compactMap { Self.numbers(of: $0)?.1.upper }.max() ?? 1, 0)
        least = min(cells.compactMap { Self.numbers(of: $0)?.1.lower }.min() ?? 0, 0)
    }

    private static func numbers(of cell: ReportTable.Cell) -> (Double, ConfidenceInterval)? {
        guard case .interval(_, let estimate?, let interval?) = cell else { return nil }
        return (estimate, interval)
    }

    /// Draws it beside its text, which says the same.
    func draw(in output: inout HTMLOutput) {
        output.text(" ")
        let attributes: [HTMLOutput.Attribute] = [
            ("class", "interval"), ("aria-hidden", "true"), ("width", "\(Self.width)"), ("height", "\(Self.height)"),
        ]
        output.element("svg", attributes) { output in
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
