/// A set of decided rules: those on which an answer rests.
package struct DecidedRules: Hashable, Sendable, ExpressibleByArrayLiteral {
    // Bit *i* stands for the rule whose raw value is *i*.
    private var bits: UInt64 = 0

    /// Makes a set of some rules.
    package init(arrayLiteral rules: DecidedRule...) { self.init(rules) }

    /// Makes a set of some rules.
    package init(_ rules: some Sequence<DecidedRule>) {
        for rule in rules { insert(rule) }
    }

    /// True if no rule is in the set.
    @inline(__always) package var isEmpty: Bool { bits == 0 }

    /// True if a rule is in the set.
    package func contains(_ rule: DecidedRule) -> Bool { bits & Self.bit(rule) != 0 }

    /// Puts a rule into the set.
    package mutating func insert(_ rule: DecidedRule) { bits |= Self.bit(rule) }

    /// Puts the rules of another set into the set.
    package mutating func formUnion(_ other: DecidedRules) { bits |= other.bits }

    /// The rules in either set.
    package func union(_ other: DecidedRules) -> DecidedRules {
        var both = self
        both.formUnion(other)
        return both
    }

    /// The rules that are not in another set.
    package func subtracting(_ other: DecidedRules) -> DecidedRules {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    /// The rules, in the order of `docs/RULES.md`.
    package var all: [DecidedRule] { DecidedRule.allCases.filter(contains) }

    private static func bit(_ rule: DecidedRule) -> UInt64 { 1 << UInt64(rule.rawValue) }
}
