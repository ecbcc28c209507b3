internal import PolicyEngine

/// Filters in the words of the manual (Listing Device Filters).
enum FilterText {
    /// What `filter -list` prints.
    static func list(_ filters: [Filter]) -> [String] {
        [ListText.heading(filters.count, "filter", "filters")]
            + ListText.columns(filters.map { filter in (filter.name, test(of: filter) + options(of: filter)) })
    }

    private static func test(of filter: Filter) -> String {
        switch filter.test {
        case .exact(let key, let value): "\(key): \(value)"
        case .regex(let key, let pattern): "\(key): \(pattern.source)"
        case .conjunction(let inputs): "conjunction: \(inputs.joined(separator: "+"))"
        }
    }

    private static func options(of filter: Filter) -> String {
        let chosen = FilterOption.all.filter { filter.options.contains($0.option) }.map(\.word)
        let words = if case .regex = filter.test { ["regex"] + chosen } else { chosen }
        return words.isEmpty ? "" : "  \(words.joined(separator: ", "))"
    }
}
