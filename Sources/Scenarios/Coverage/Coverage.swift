/// The parts of the rules and of the accounts that some scenarios exercised.
package struct Coverage: Sendable {
    /// By item that can be exercised: true if it was.
    private var items: [Item: Bool] = [:]

    /// Something that a scenario can exercise.
    package struct Item: Hashable, Sendable {
        package var kind: Kind
        /// Its name; of what belongs to an account, with the account's.
        package var name: String
    }

    /// The kinds, in the order of reports.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A preset of the rejection policies, applied to an attestation.
        case presets
        /// A flag on which an applied policy rejects, causing a rejection.
        case rejectFlags = "reject-flags"
        /// A filter of an account, matching an attestation.
        case filtersMatched = "filters-matched"
        /// A filter of an account, not matching one.
        case filtersNotMatched = "filters-not-matched"
        /// A flag that an applied annotation policy names, in a token.
        case annotations
        /// A device entry of an account, whose device attested.
        case deviceOverrides = "device-overrides"
        /// A rule set of an account, applied to an attestation.
        case rules
    }

    package init() {}

    /// The number of items of a kind that were exercised, the number of all, and the names of the rest, sorted.
    package struct Share: Hashable, Sendable {
        package var kind: Kind
        package var covered: Int
        package var total: Int
        package var missing: [String]
    }

    /// Notes an item, and whether it was exercised here; once exercised it stays so.
    mutating func note(_ kind: Kind, _ name: String, _ isCovered: Bool) {
        items[Item(kind: kind, name: name), default: false] = items[Item(kind: kind, name: name)] == true || isCovered
    }

    /// Everything that some scenarios exercised; `nil` for none.
    package init?(merging all: [Coverage]) {
        guard !all.isEmpty else { return nil }
        for (item, isCovered) in all.flatMap(\.items) { note(item.kind, item.name, isCovered) }
    }

    /// The kinds of which there is anything.
    package var shares: [Share] {
        Kind.allCases.compactMap { kind in
            let all = items.filter { $0.key.kind == kind }
            guard !all.isEmpty else { return nil }
            let missing = all.filter { !$0.value }.map(\.key.name)
            return Share(
                kind: kind, covered: all.count - missing.count, total: all.count,
                missing: missing.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }

    /// The number of items that were exercised.
    package var covered: Int { items.values.count { $0 } }

    /// The number of items that can be exercised.
    package var total: Int { items.count }
}
