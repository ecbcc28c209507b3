import PolicyEngine
import Testing

@testable import Proofs
@testable import TestSupport

/// The automaton of a pattern finds the same as PCRE2 (R7.2).
@Suite struct PatternParserTests {
    static let patterns = [
        "", "a", "abc", "a|b", "a|", "(a|b)c", "(?:a|b)c", "(?<n>a)b", "(?P<n>a)b", "(?'n'a)b", "(?|a|b)", "a*", "ba+c",
        "a?b", "a{2}", "a{2,}b", "a{1,2}b", "a{,2}", "a{x", "{", "a+?b", "a*?", ".", "a.b", "^a", "a$", "^$",
        "^a$", "\\Aa", "a\\z", "a\\Z", "$", "\\n", "a\\nb", "(?m)^b", "(?m)a$", "(?m)^$", "(?s)a.b", "(?s:a.)b.",
        "(?i)ab", "a(?i)b|k", "(?i:k)s", "(?i)[k-s]", "(?i)[^k]", "(?-i)a", "(?im)^K", "\\d", "\\D", "\\w", "\\W",
        "\\s",
        "\\S", "[a-c]", "[^a-c]", "[]a]", "[^]a]", "[a-]", "[-a]", "[\\d_]", "[\\]a]", "[[:digit:]a]", "[[:alpha:]]",
        "[\\x61-\\x63]", "\\x61", "\\x{e9}", "é", "[é-ü]", "\\ba", "a\\b", "\\Ba", "\\b", "\\B", "\\.", "\\Qa.b\\E",
        "\\Qa.\\Eb", "a\\Q\\Eb", "\\N", "(a*)*b", "(a|ab)(c|bcd)", "(^a|b$)", "($|b)", "a^b", "a$b", "a\\Zb", "\\t",
        "[\\b]",
        "[a\\-c]", "\\_", "(\\b|a)_", "()a", "(a(b(c)))", "a||b", "[.]", "[$^]", "x*", "(?i)straße|ab", "[[]", "[a[]",
    ]

    static let texts = [
        "", "a", "b", "ab", "abc", "aa", "aab", "bc", "ba", "bac", "\n", "a\n", "\na", "a\nb", "a\n\n", "\n\n", "ab\n",
        "b\na",
        "A", "AB", "aB", "K", "k", "\u{212A}", "s", "S", "\u{17F}", "ks", "KS", "1", "a1", "_", "a_", " ", "a b", " a",
        ".",
        "a.b", "a.", "$", "^", "[", "]", "-", "{", "a{,2}", "a{x", "é", "è", "É", "\t", "\u{8}", "x", "a||b", "aaaa",
        "\r\n",
        "\u{10FFFF}", "a\u{301}", "abcd", "a c", "c_a", "aé", "éa", "\u{85}", "\u{A0}",
    ]

    @Test(arguments: patterns) func findsWhatPCRE2Finds(_ source: String) throws {
        let pattern = try Pattern(source)
        for text in Self.texts {
            let found = SearchedText.isFound(source, in: text)
            expect(found, equals: pattern.isFound(in: text), "\(source.debugDescription) in \(text.debugDescription)")
        }
    }

    static let refused = [
        "(?=ab)a", "a(?!bc)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "(?>a|ab)c", "(?>a*?)a", "(a|ab)++b",
        "(?R)?",
        "(a)?(?(1)b|c)", "(*UCP)a", "\\X", "(?1)(a)", "(?P=n)(?P<n>a)", "(?:a|^){0}b", "a(*COMMIT)b", "(*ANYCRLF)a",
    ]

    @Test(arguments: refused) func refusesWhatIsNoRegularExpression(_ source: String) throws {
        _ = try Pattern(source)
        #expect(SearchedText.isFound(source, in: "a") == nil)
    }

    @Test func agreesWithPCRE2OnRandomPatterns() throws {
        var chance = Chance(seed: 17)
        var compared = 0
        for _ in 0..<Exhaustive.count(1000, whole: 40_000) {
            let source = Self.pattern(3, &chance)
            guard let pattern = try? Pattern(source) else { continue }
            for _ in 0..<6 {
                let text = (0..<chance.below(6)).map { _ in chance.pick(Self.characters) }.joined()
                guard let found = SearchedText.isFound(source, in: text) else { break }
                compared += 1
                expect(
                    found, equals: pattern.isFound(in: text), "\(source.debugDescription) in \(text.debugDescription)")
            }
        }
        #expect(compared > Exhaustive.count(2500, whole: 100_000))
    }

    private static let characters = ["a", "b", "A", "k", "\n", "_", " ", "é", "\u{212A}", "1"]
    private static let atoms = [
        "a", "b", "k", ".", "[ab]", "[^a]", "\\w", "\\W", "\\d", "\\s", "\\n", "^", "$", "\\b", "\\B", "\\A", "\\z",
        "\\Z",
        "[a-k]", "é", "[^\\n]", "(?i)", "(?m)", "(?s)", "(?-i)",
    ]

    private static func pattern(_ depth: Int, _ chance: inout Chance) -> String {
        guard depth > 0 else { return chance.pick(atoms) }
        switch chance.below(8) {
        case 0: return "(\(pattern(depth - 1, &chance)))" + count(&chance)
        case 1: return "(?:\(pattern(depth - 1, &chance))|\(pattern(depth - 1, &chance)))" + count(&chance)
        case 2: return "\(pattern(depth - 1, &chance))|\(pattern(depth - 1, &chance))"
        case 3: return "(?i:\(pattern(depth - 1, &chance)))"
        case 4: return chance.pick(["a", "b", "[ab]", ".", "\\w"]) + count(&chance)
        case 5: return chance.pick(atoms)
        default: return pattern(depth - 1, &chance) + pattern(depth - 1, &chance)
        }
    }

    private static func count(_ chance: inout Chance) -> String {
        chance.pick(["", "*", "+", "?", "{2}", "{1,2}", "{0}", "*?", "{1,}"])
    }
}

/// The search of a pattern's automaton in a text.
enum SearchedText {
    /// True if a pattern is found in a text; `nil` if it is not taken for a regular expression.
    static func isFound(_ pattern: String, in text: String) -> Bool? {
        guard let tree = try? PatternParser.tree(of: pattern), var automaton = PatternAutomaton([tree]) else {
            return nil
        }
        let scalars = Array(text.unicodeScalars)
        let letters = scalars.indices.map { index in
            let scalar = scalars[index]
            guard scalar == "\n" else { return Letter(scalar.value, isWord: ScalarSet.words.contains(scalar.value)) }
            return index == scalars.count - 1 ? .lastNewline : .newline
        }
        automaton.prepare(for: letters)
        var (progress, before) = (PatternAutomaton.Progress(), PrecedingCharacter.none)
        for (number, letter) in letters.enumerated() {
            progress = automaton.advance(progress, behind: before, over: letter, number)
            before = letter.seenFromBehind
        }
        return automaton.isFound(progress, atEndBehind: before)
    }
}
