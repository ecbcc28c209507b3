internal import Documents

/// The scale of a panel: from zero to a round figure, in counts or in shares.
struct PlotScale {
    /// The figure at the top; of shares in thousandths.
    let top: Int
    private let isShare: Bool

    /// - Parameters:
    ///   - panel: The panel.
    ///   - table: Its figures.
    init(of panel: ReportPlot.Panel, in table: ReportTable) {
        let heights = table.rows.indices.map { row in
            let figures = panel.series.map { table.figure(row: row, column: $0.column) }
            return switch panel.shape {
            case .stacked: figures.reduce(0, +)
            case .grouped, .change: figures.max() ?? 0
            }
        }
        isShare = panel.series.first.map { table.hasShares(column: $0.column) } ?? false
        top = Self.end(atLeast: heights.max() ?? 0)
    }

    /// The end of a scale that reaches a figure: an even number of one or two digits and zeros, at least 2.
    static func end(atLeast value: Int) -> Int {
        var unit = 1
        while true {
            for step in [10, 20, 25, 50] where step * unit >= value * 10 && step * unit % 20 == 0 {
                return step * unit / 10
            }
            unit *= 10
        }
    }

    /// A figure on the scale in words, all in one unit: `0.5 M` and `1 M`, `2.5 %` and `5 %`.
    func words(_ value: Int) -> String {
        if value == 0 { return isShare ? "0 %" : "0" }
        if isShare { return Self.tenths(value) + " %" }
        for (unit, name) in [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")] where top >= max(unit, 10_000) {
            return "\(Self.tenths(value / (unit / 10))) \(name)"
        }
        return value.grouped
    }

    /// A figure above its bar: a count, or the percentage without its sign, which the scale has.
    func figure(_ value: Int) -> String { isShare ? Self.tenths(value) : words(value) }

    // `12.5` for 125.
    private static func tenths(_ value: Int) -> String {
        value % 10 == 0 ? (value / 10).grouped : "\((value / 10).grouped).\(value % 10)"
    }
}
