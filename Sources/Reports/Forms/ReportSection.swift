/// A part of a report that is written in several forms: a title, sentences, and a table.
struct ReportSection {
    let title: String
    var sentences: [String] = []
    /// The heads of the columns; empty where there is no table.
    var heads: [String] = []
    /// The rows: the first column is text, the others are numbers unless the section says so.
    var rows: [[String]] = []
    /// Columns of text beside the first.
    var textColumns: Set<Int> = []

    /// Whether there is nothing to show.
    var isEmpty: Bool { sentences.isEmpty && rows.isEmpty }
}
