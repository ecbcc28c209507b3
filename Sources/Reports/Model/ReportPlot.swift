/// A picture of a section's table: bars over the rows, or dots, one panel above the other.
///
/// It holds no figure of its own. All that it shows is in the table, where it can be read.
package struct ReportPlot: Sendable {
    /// The subject of the plot, in a sentence.
    let title: String
    let panels: [Panel]
    /// The words below some of the rows, by the number of the row.
    let marks: [Int: String]
    /// Something that happened at some time.
    var event: Event?

    /// Bars over all rows, on a scale of their own.
    struct Panel: Sendable {
        /// The quantity that the bars show: `attestations`.
        let title: String
        var shape = Shape.stacked
        /// From the bottom up, or from left to right.
        let series: [Series]
    }

    /// The arrangement of the bars of a row, or its dot.
    enum Shape: Sendable {
        case stacked, grouped
        /// Two series in one bar, before and after a change: what both have, and upon it the difference.
        case change
    }

    /// A column of figures.
    struct Series: Sendable {
        let name: String
        /// The column of the table.
        let column: Int
        let tone: Tone
    }

    /// Something that happened within a row: the change that is compared.
    struct Event: Sendable {
        let row: Int
        /// The part of the row that was over by then, in thousandths.
        let offset: Int
        let name: String
    }

    /// The meaning of a series, which decides its colour.
    package enum Tone: Sendable {
        /// A desired result.
        case better
        /// An undesired result.
        case worse
        /// Neither.
        case neutral
    }
}

extension ReportTable {
    /// The figure of a cell; 0 where there is none.
    func figure(row: Int, column: Int) -> Int {
        column < rows[row].cells.count ? rows[row].cells[column].figure : 0
    }

    /// True if a column has shares.
    func hasShares(column: Int) -> Bool {
        guard let first = rows.first, column < first.cells.count, case .share = first.cells[column] else {
            return false
        }
        return true
    }
}

extension ReportTable.Cell {
    /// True for a figure that is nothing.
    var isZero: Bool {
        switch self {
        case .number(let number): number == 0
        case .share(let part, _): part == 0
        case .text, .code, .name, .time, .seconds, .interval, .difference: false
        }
    }

    /// The figure; of a share in thousandths, and 0 where there is none.
    var figure: Int {
        switch self {
        case .number(let number): number
        case .share(let part, let total): total > 0 ? (part * 2000 + total) / (2 * total) : 0
        case .text, .code, .name, .time, .seconds, .interval, .difference: 0
        }
    }
}
