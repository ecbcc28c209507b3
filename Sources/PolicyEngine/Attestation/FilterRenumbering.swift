/// Turns what the filters of an account match into what those of an edited account match, where the edit adds no test: it
/// removes filters, moves them or changes their options.
package struct FilterRenumbering: Sendable {
    // By index in the account: the index in the edited one.
    private let numbers: [Int?]
    /// True if every filter keeps its index.
    package let isIdentity: Bool

    /// - Parameters:
    ///   - filters: The filters that were matched.
    ///   - edited: Those of the edited account.
    /// - Returns: `nil` where one of these tests something that the others do not test under the same name.
    package init?(from filters: [Filter], to edited: [Filter]) {
        let tests = filters.map { ($0.name, $0.test) }
        for filter in edited {
            guard tests.contains(where: { $0.0 == filter.name && $0.1 == filter.test }) else { return nil }
        }
        numbers = filters.map { filter in edited.firstIndex { $0.name == filter.name } }
        isIdentity = numbers == Array(filters.indices)
    }

    /// The matches of the edited account.
    ///
    /// - Complexity: O(filters that match).
    package func renumbered(_ matches: AttributeMatches) -> AttributeMatches {
        guard !isIdentity else { return matches }
        let match = FilterMatch(
            matched: renumbered(matches.match.matched), limitHits: renumbered(matches.match.limitHits))
        return AttributeMatches(match: match, isRemoved: matches.isRemoved)
    }

    private func renumbered(_ filters: FilterSet) -> FilterSet {
        filters.reduce(into: FilterSet.empty) { result, index in
            if let number = numbers[index] { result.insert(number) }
        }
    }
}
