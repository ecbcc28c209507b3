/// A picture of a section's table: bars over the rows, one panel above the other on the same scale.
///
/// It holds no figure of its own. What it shows stands in the table, where it can be read.
struct ReportPlot: Sendable {
    /// What is shown, in a sentence.
    let title: String
    /// What is counted: `devices`.
    let unit: String
    let panels: [Panel]
    /// What stands below some of the rows, by the number of the row.
    let marks: [Int: String]

    /// Bars over all rows.
    struct Panel: Sendable {
        /// Empty where there is one panel.
        let title: String
        /// From the bottom up, or from left to right.
        let series: [Series]
        /// Whether the bars of a row stand side by side rather than upon each other.
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

    /// What a series stands for, from which follows its colour.
    enum Tone: Sendable {
        /// What is as it should be.
        case passed
        /// What is not as it should be.
        case failed
        /// Neither.
        case neutral
    }

    /// How many series a plot has at most: more are not told apart.
    static let seriesLimit = 4
}

extension ReportTable {
    /// The figure of a cell; 0 where there is none.
    func figure(row: Int, column: Int) -> Int {
        guard column < rows[row].cells.count, case .number(let number) = rows[row].cells[column] else { return 0 }
        return number
    }
}
