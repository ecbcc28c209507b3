/// Lists as the management commands print them.
enum ListText {
    /// The first line of a list, with the number of its items, such as `1 device:`.
    static func heading(_ count: Int, _ singular: String, _ plural: String) -> String {
        "\(count) \(count == 1 ? singular : plural):"
    }

    /// Names, each with further text, in two columns.
    ///
    /// - Parameters:
    ///   - rows: The names and the rest of each line.
    ///   - gap: The spaces behind the longest name.
    static func columns(_ rows: [(name: String, rest: String)], gap: Int = 2) -> [String] {
        let width = (rows.map(\.name.count).max() ?? 0) + gap
        return rows.map { " " + pad($0.name, to: width) + $0.rest }
    }

    /// A text with spaces behind it.
    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
