internal import Documents
internal import PolicyEngine
internal import Replay

/// The filters on one attribute that could reject some attestations, the narrowest first.
package enum NarrowestFilter {
    /// True if filters are searched on an attribute: lists of flags are for policies.
    package static func takes(_ key: String) -> Bool { !key.isEmpty && !InformationKeys.flags.contains(key) }

    /// The tests of the filters, so that each of them matches all of the attestations.
    ///
    /// The first matches their values and no others, so that no filter on the attribute rejects less. The others match what the
    /// values begin or end with in common, as values that nobody has seen yet may. Three filters at most. Characters that a
    /// terminal would act on are written in a pattern by their numbers, so that a filter can be shown and copied.
    ///
    /// - Parameters:
    ///   - records: The attestations.
    ///   - key: The attribute; not a list of flags.
    /// - Returns: Their tests, and why PCRE2 refuses further ones, such as that of very many values. Nothing where there
    ///   is no attestation, or one without the attribute, which no filter on it matches (R7.2).
    /// - Complexity: O(length of the values).
    static func tests(
        rejecting records: [KeptRecord], key: String
    ) -> (tests: [Filter.Test], refused: [PatternError]) {
        var values: Set<ExactText> = []
        for record in records {
            guard let value = record.value(of: key) else { return ([], []) }
            values.insert(ExactText(value))
        }
        let sorted = values.sorted().map(\.text)
        guard let first = sorted.first else { return ([], []) }
        if sorted.count == 1, !first.unicodeScalars.contains(where: \.isControlling) {
            return ([.exact(key: key, value: first)], [])
        }
        var found: (tests: [Filter.Test], refused: [PatternError]) = ([], [])
        for source in patterns(sorted) {
            do throws(PatternError) {
                found.tests.append(.regex(key: key, pattern: try Pattern(source)))
            } catch {
                found.refused.append(error)
            }
        }
        return found
    }

    // The first matches the values and no others.
    private static func patterns(_ sorted: [String]) -> [String] {
        let narrowest = #"\A(?:"# + sorted.map(Escape.pattern).joined(separator: "|") + #")\z"#
        guard sorted.count > 1 else { return [narrowest] }
        let start = common(sorted.map { Array($0.unicodeScalars) })
        let end = common(sorted.map { $0.unicodeScalars.reversed() }).reversed()
        var patterns = [narrowest]
        if !start.isEmpty { patterns.append(#"\A"# + Escape.pattern(text(start))) }
        if !end.isEmpty { patterns.append(Escape.pattern(text(end)) + #"\z"#) }
        return patterns
    }

    // The scalars that all begin with.
    private static func common(_ texts: [[Unicode.Scalar]]) -> [Unicode.Scalar] {
        guard var shared = texts.first else { return [] }
        for text in texts {
            let length = zip(shared, text).prefix { $0 == $1 }.count
            shared.removeLast(shared.count - length)
        }
        return shared
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
    }
}
