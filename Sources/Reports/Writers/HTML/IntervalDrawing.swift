internal import Statistics

/// Draws the interval of a share as a line, with a dot for the share itself, on a scale that all rows of a column have in
/// common: one row of a forest plot.
struct IntervalDrawing {
    private let interval: ConfidenceInterval
    private let estimate: Double
    private let greatest: Double

    // In pixels.
    private static let (width, height, radius) = (160, 12, 3)

    /// - Returns: `nil` for other cells, and for intervals without numbers.
    init?(_ cell: ReportTable.Cell, of table: ReportTable, column: Int) {
        guard let (estimate, interval) = Self.numbers(of: cell) else { return nil }
        (self.estimate, self.interval) = (estimate, interval)
        let cells = table.rows.compactMap { column < $0.cells.count ? $0.cells[column] : nil }
        greatest = cells.compactMap { Self.numbers(of: $0)?.1.upper }.max() ?? 1
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
    private func x(_ share: Double) -> String {
        let room = Double(Self.width - 2 * Self.radius) * 10
        return HTMLOutput.pixels(
            Self.radius * 10 + Int((share / max(greatest, .leastNormalMagnitude) * room).rounded()))
    }
}
