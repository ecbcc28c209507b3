/// Reads the table in a text of Markdown.
enum MarkdownTable {
    /// The rows, the head first and without the rule below it; cells are trimmed.
    static func rows(of markdown: String) -> [[String]] {
        markdown.split(separator: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("| ---") }.map { line in
            line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast().map(trimmed)
        }
    }

    private static func trimmed(_ cell: Substring) -> String {
        var cell = cell
        while cell.first == " " { cell.removeFirst() }
        while cell.last == " " { cell.removeLast() }
        return String(cell)
    }
}
