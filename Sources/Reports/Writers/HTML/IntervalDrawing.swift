internal import Statistics

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
