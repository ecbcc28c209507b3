import PolicyEngine
import Testing

@testable import Proofs
@testable import TestSupport

/// Nearly every pattern without look-around is read as a regular expression, and finds the same as PCRE2 (R7.2).
@Suite struct PatternReadingTests {
    private static let characters = [
        "a", "b", "c", "A", "k", "s", "0", "1", "-", "_", " ", "\n", "\r", "\t", "é", "É", ",", "\u{212A}", "\u{85}",
        "]", "λ",
        "\u{8}", "\u{1}", "#", "{", "=", ".",
    ]

    // Patterns as a user would try them, random ones, of which one of 20 at most may be taken for anything at all.
    @Test func readsNearlyEveryRandomPattern() throws {
        var patterns = RandomPattern(seed: 2990)
        var chance = Chance(seed: 2991)
        var (read, unread): (Int, [String]) = (0, [])
        let count = Exhaustive.count(700, whole: 2990)
        while read + unread.count < count {
            let source = patterns.next()
            guard let pattern = try? Pattern(source) else { continue }
            guard SearchedText.isFound(source, in: "") != nil else {
                unread.append(source)
                continue
            }
            read += 1
            for _ in 0..<Exhaustive.count(2, whole: 40) {
                let text = (0..<chance.below(7)).map { _ in chance.pick(Self.characters) }.joined()
                let found = SearchedText.isFound(source, in: text)
                expect(
                    found, equals: pattern.isFound(in: text), "\(source.debugDescription) in \(text.debugDescription)")
            }
        }
        #expect(unread.count * 20 <= count, "\(unread.count): \(unread.prefix(40))")
    }

    // PCRE2 finds as much as is worked out.
    @Test(arguments: CaseFile.all(in: "Tables/patterns", ending: "found.txt")) func findsAsWorkedOut(_ file: CaseFile)
        throws
    {
        try file.expectActual { example in
            let source = try TextCase.text(of: example.name)
            let pattern = try Pattern(source)
            return try TextCase.lines(example) { line in
                let text = try TextCase.text(of: line)
                let isFound = SearchedText.isFound(source, in: text)
                expect(pattern.isFound(in: text), equals: isFound, "PCRE2: \(source) in \(line)")
                return isFound.map { $0 ? "found" : "missed" } ?? "no regular expression"
            }
        }
    }

    @Test func charactersAreThoseOfPCRE2() throws {
        let greek = try #require(CharacterTrial.characters(of: "\\p{Greek}"))
        #expect(greek.contains(0x3BB) && !greek.contains(0x61))
        #expect(CharacterTrial.characters(of: "[") == nil)
        try expect(#require(CharacterTrial.characters(of: "\\d")), equals: .digits)
        try expect(#require(CharacterTrial.characters(of: "\\h")), equals: .horizontalSpaces)
        try expect(#require(CharacterTrial.characters(of: "\\v")), equals: .verticalSpaces)
        try expect(#require(CharacterTrial.characters(of: "(?s:.)")), equals: .all)
        // The first and the last one of each length in UTF-8, and around those that are no characters.
        let edges: [UInt32] = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF]
        let pattern = "[" + edges.map { "\\x{" + String($0, radix: 16) + "}" }.joined() + "]"
        expect(CharacterTrial.characters(of: pattern), equals: ScalarSet(edges.map { $0...$0 }))
    }
}

/// Draws patterns of PCRE2 as people write them, and as they do not: classes, escapes, counts of any kind, groups, options,
/// assertions, comments; without look-around.
struct RandomPattern {
    private var chance: Chance

    init(seed: UInt64) {
        chance = Chance(seed: seed)
    }

    /// The next pattern; not each is one that PCRE2 takes.
    mutating func next() -> String {
        let text = alternatives(depth: chance.below(4))
        return chance.happens(6)
            ? chance.pick(["(?i)", "(?x)", "(?s)", "(?m)", "(?im)", "(?U)", "(*UTF)", "(?^)"]) + text : text
    }

    private mutating func alternatives(depth: Int) -> String {
        let count = chance.happens(75) ? 1 : 2 + chance.below(2)
        return (0..<count).map { _ in sequence(depth: depth) }.joined(separator: "|")
    }

    private mutating func sequence(depth: Int) -> String {
        (0..<(1 + chance.below(4))).map { _ in item(depth: depth) }.joined()
    }

    private mutating func item(depth: Int) -> String {
        switch chance.below(20) {
        case 0..<7: return literal() + count()
        case 7..<10: return characterClass() + count()
        case 10..<13: return escape() + count()
        case 13: return chance.pick(["^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z", "\\G", "\\K"])
        case 14: return chance.pick(Self.marks)
        case 15 where chance.happens(25): return chance.pick(Self.rare) + count()
        case _ where depth > 0: return group(depth: depth) + count()
        default: return literal()
        }
    }

    private static let marks = [
        "(?i)", "(?-i)", "(?s)", "(?x) ", "(?#note)", "\\Qa.b\\E", "\\E", "\\Q\\E", "(?J)", "(?n)", "(?xx)",
    ]
    private static let rare = [
        "\\X", "\\1", "\\p{L}", "\\p{Lu}", "\\PN", "\\p{Greek}", "[[:<:]]", "[[:>:]]", "(*FAIL)", "(?1)",
        "\\N{U+41}", "\\o{101}", "\\101", "\\012", "\\cA",
    ]

    private mutating func literal() -> String {
        chance.pick([
            "a", "b", "c", "ab", "A", "k", "s", "0", "1", "-", "_", " ", ",", "é", "\\.", "\\-", "\\/", "=", "#", "{",
            "]",
        ])
    }

    private mutating func escape() -> String {
        chance.pick([
            ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\h", "\\H", "\\v", "\\V", "\\N", "\\R", "\\n", "\\t",
            "\\r",
            "\\f", "\\e", "\\a", "\\x41", "\\x{e9}", "\\x", "\\0",
        ])
    }

    private mutating func characterClass() -> String {
        let items = [
            "a", "b", "-", "a-c", "0-9", "A-Z", "\\d", "\\w", "\\s", "\\h", "\\v", "\\n", "\\]", "\\-", "\\x41-\\x43",
            ".",
            "[:alpha:]", "[:digit:]", "[:^space:]", "[:punct:]", "[:upper:]", "[:xdigit:]", "é", "\\b", "^", "\\Qab\\E",
            "\\p{Ll}", "\\101", "é-ü", " ",
        ]
        let start = chance.pick(["[", "[", "[", "[^", "[]", "[^]"])
        return start + (0..<(1 + chance.below(3))).map { _ in chance.pick(items) }.joined()
            + (chance.happens(15) ? "-]" : "]")
    }

    private mutating func group(depth: Int) -> String {
        let starts = [
            "(", "(", "(?:", "(?:", "(?<n>", "(?P<m>", "(?'o'", "(?i:", "(?x:", "(?s-i:", "(?|", "(?^:", "(?U:", "(?>",
            "(", "(?:", "(?:", "(",
        ]
        return chance.pick(starts) + alternatives(depth: depth - 1) + ")"
    }

    private mutating func count() -> String {
        guard chance.happens(45) else { return "" }
        let limits = chance.pick(["*", "+", "?", "{2}", "{1,}", "{0,1}", "{1,3}", "{0,2}", "{0}", "{,2}", "{3,4}"])
        return limits + chance.pick(["", "", "", "", "", "", "", "?", "?", "+"])
    }
}
