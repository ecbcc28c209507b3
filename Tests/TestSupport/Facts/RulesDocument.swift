/// `docs/RULES.md`, the rules that code and tests name.
enum RulesDocument {
    /// The whole text; empty where it cannot be read, so that every test of it fails.
    static let text = (try? Repository.text(of: "docs/RULES.md")) ?? ""

    /// The text under a heading of the second level, up to the next heading of that level or above.
    static func section(_ name: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "## \(name)") else { return "" }
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { $0.hasPrefix("## ") || $0.hasPrefix("# ") } ?? rest.endIndex
        return rest[..<end].joined(separator: "\n")
    }
}

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
