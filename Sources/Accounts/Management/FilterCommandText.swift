package import PolicyEngine

/// Writes filters as the commands that add them.
package enum FilterCommandText {
    /// The command `filter -add …` of a filter.
    ///
    /// - Returns: `nil` for a filter that no command line can say.
    package static func addition(of filter: Filter) -> String? {
        let words = ["filter", "-add", filter.name] + test(of: filter) + options(of: filter)
        let text = words.map(quoted).joined(separator: " ")
        guard let command = try? ManagementCommand(text), command == .addFilter(filter) else { return nil }
        return text
    }

    private static func test(of filter: Filter) -> [String] {
        switch filter.test {
        case .exact(let key, let value): ["-key", key, "-matchValue", value]
        case .regex(let key, let pattern): ["-key", key, "-matchValue", pattern.source, "-regex"]
        case .conjunction(let inputs): ["-conjunction", inputs.joined(separator: "+")]
        }
    }

    private static func options(of filter: Filter) -> [String] {
        FilterOption.all.filter { filter.options.contains($0.option) }.map { "-" + $0.word }
    }

    // As a shell wants it: what is more than letters, digits and a few signs stands in single quotes.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0.isLetter || $0.isDigit || plainSigns.contains($0) }
        guard word.isEmpty || !isPlain else { return word }
        return "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    private static let plainSigns = Set("-_.,:/=+@".utf8)
}
