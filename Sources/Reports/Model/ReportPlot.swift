/// A picture of a section's table: bars over the rows, one panel above the other on the same scale.
///
/// It holds no figure of its own. All that it shows is in the table, where it can be read.
struct ReportPlot: Sendable {
    /// The subject of the plot, in a sentence.
    let title: String
    /// The unit of its figures: `devices`.
    let unit: String
    let panels: [Panel]
    /// The words below some of the rows, by the number of the row.
    let marks: [Int: String]

    /// Bars over all rows.
    struct Panel: Sendable {
        /// Empty where there is one panel.
        let title: String
        /// From the bottom up, or from left to right.
        let series: [Series]
        /// True if the bars of a row are side by side rather than upon each other.
        var isGrouped = false
    }

    /// A column of figures.
    struct Series: Sendable {
        let name: String
        /// The column of the table.
        let column: Int
        let tone: Tone
    }

    /// The most that a row has in a panel, on which the scale depends.
    func maximum(of table: ReportTable) -> Int {
        let heights = panels.flatMap { panel in
            table.rows.indices.map { row in
                let figures = panel.series.map { table.figure(row: row, column: $0.column) }
                return panel.isGrouped ? figures.max() ?? 0 : figures.reduce(0, +)
            }
        }
        return heights.max() ?? 0
    }

    /// The meaning of a series, which decides its colour.
    enum Tone: Sendable {
        /// A desired result.
        case passed
        /// An undesired result.
        case failed
        /// Neither.
        case neutral
    }

    /// The greatest number of series of a plot: readers could not distinguish more.
    static let seriesLimit = 4
}

extension ReportTable {
    /// The figure of a cell; 0 where there is none.
    func figure(row: Int, column: Int) -> Int {
        guard column < rows[row].cells.count, case .number(let number) = rows[row].cells[column] else { return 0 }
        return number
    }
}
