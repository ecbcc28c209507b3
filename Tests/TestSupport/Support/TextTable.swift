/// A table of rows in one text.
///
/// A line `== NAME` begins a row. The lines above the first row belong to each row that has none of their kind.
struct TextTable {
    /// The lines above the first row.
    let usual: [Substring]
    let rows: [(name: String, lines: [Substring])]

    init(_ text: String) {
        let parts = "\n\(text)".split(separator: "\n== ", omittingEmptySubsequences: false)
            .map { $0.split(separator: "\n") }
        usual = parts[0]
        rows = parts.dropFirst().map { (String($0[0]), Array($0.dropFirst())) }
        precondition(!rows.isEmpty, "a table without rows")
    }
}
