import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport

/// Settings at the start of a pattern (R7.2).
private enum PatternSetting {
    static func isFound(_ line: String) throws -> String {
        let texts = try JSONDecoder().decode([String].self, from: Data(line.utf8))
        let (pattern, matcher, bytes) = (try Pattern(texts[0]), PatternMatcher(), Array(texts[1].utf8))
        // It is the same whether or not a value is known to be UTF-8.
        let found = [true, false].map { matcher.search(pattern, in: bytes.span, isUTF8: $0) == .found }
        expect(found[0], equals: found[1])
        return found[0] ? "found" : "not found"
    }
}

@Suite("R7.2 patterns that the beginning of a value excludes") struct PatternBeginningTests {
    /// Patterns with what is known of how they begin.
    private struct Bench {
        let patterns: [Pattern]
        var beginnings: PatternBeginnings?
        private let matcher = PatternMatcher()

        init(_ sources: [String]) throws {
            patterns = try sources.map { try Pattern($0) }
            beginnings = PatternBeginnings(patterns.map { unsafe PatternReference($0) })
            // No beginning is looked at in the first 256 values.
            for _ in 0..<256 { _ = possible(in: "") }
        }

        /// The patterns that may be found, by their indices.
        mutating func possible(in value: String) -> Set<Int>? {
            let bytes = Array(value.utf8)
            let mask = beginnings?.possible(in: bytes.span, matcher: matcher)
            withExtendedLifetime(patterns) {}
            return mask.map { mask in Set(patterns.indices.filter { mask & 1 << $0 != 0 }) }
        }

        func found(in value: String) -> Set<Int> {
            let bytes = Array(value.utf8)
            return Set(patterns.indices.filter { matcher.search(patterns[$0], in: bytes.span) == .found })
        }
    }

    private static let readings: [String: TextCase.Reading] = [
        "R7.2 settings at the start of a pattern": { try PatternSetting.isFound($0) },
        "R7.2 the beginning of a value": { line in
            let texts = try JSONDecoder().decode([String].self, from: Data(line.utf8))
            var bench = try Bench(texts.dropLast())
            // Asked for again, it says the same.
            let possible = (0..<2).map { _ in bench.possible(in: texts[texts.count - 1]) }
            expect(possible[0], equals: possible[1])
            let numbers = try #require(possible[0]).sorted().map { "\($0)" }
            return numbers.isEmpty ? "none" : numbers.joined(separator: " ")
        },
    ]

    @Test(arguments: CaseFile.all(in: "Tables/patterns", ending: "beginnings.txt")) func possible(_ file: CaseFile)
        throws
    {
        try file.expectActual { try TextCase.lines($0, by: Self.readings) }
    }

    @Test(
        "patterns that may be found anywhere are not asked about",
        arguments: [
            [], ["a"], ["(?m)^a"], ["^a|b"], ["a|^a", "$"], ["(*NOTEMPTY)^a*"], ["(*CRLF)^a"], ["(*NO_JIT)^a"],
        ] as [[String]])
    func anywhere(_ patterns: [String]) throws {
        let bench = try Bench(patterns)
        #expect(bench.beginnings == nil)
    }

    @Test("few values are not worth the questions") func fewValues() throws {
        let patterns = [try Pattern("^a")]
        var beginnings = try #require(PatternBeginnings(patterns.map { unsafe PatternReference($0) }))
        let (matcher, value) = (PatternMatcher(), Array("b".utf8))
        var answers: [PatternBeginnings.Mask] = []
        for _ in 0..<258 { answers.append(beginnings.possible(in: value.span, matcher: matcher)) }
        withExtendedLifetime(patterns) {}
        expect(answers, equals: Array(repeating: 1, count: 256) + [0, 0])
    }

    private static let hardToExclude = [
        "^", "^$", "^a", "^a$", "^a\\z", "^a\\Z", "^a\\b", "^a\\B", "^\\b", "^.", "^..$", "^a?b", "^a*b", "^a++b",
        "^(a|ab)b$",
        "^(?=a)", "^(?=.b)", "^(?!a)", "^(?!.b)", "^(?<!b)a", "^(?<=a)", "^[^a]", "^[^\\n]b", "^\\X", "^\\Xb", "^\\R",
        "^\\Ra", "^a\\R", "^\\N", "(?s)^.b",
        "(?i)^É", "^é", "^\\x{e9}b", "^(a)\\1", "^(?:a(*SKIP)b|a)", "^a(*COMMIT)b", "^(?>a*)b", "^(?(?=a)ab|b)",
        "^(a(?1)?b)$", "^\\Ka", "^a\\Kb", "^a{2,3}b", "^[[:alpha:]]1", "^\\d\\D", "(?x)^ a b", "^(?|a(b)|(1))",
        "^\\s(?m:^)a", "(?m)\\A\\w+\\s^b", "\\A(?:a.*\\s(?m:^))*b", "^\\R{2}(?<=\\n)", "^(?:|){25}a",
        "(?i)^a\\s+(?m)^B",
    ]

    // All values of up to three characters, or four where all is tested; what PCRE2 finds decides.
    @Test("a pattern that is found was possible", arguments: hardToExclude) func exhaustive(_ pattern: String) throws {
        var bench = try Bench([pattern, "^zz"])
        var values = [""]
        var (excluded, wrong) = (0, [String]())
        let length = Exhaustive.count(3, whole: 4)
        for _ in 0..<length {
            values = values.flatMap { value in ["a", "b", "1", "\r", "\n", "é"].map { value + $0 } }
            for value in values {
                let possible = bench.possible(in: value) ?? []
                if !bench.found(in: value).isSubset(of: possible) { wrong.append(value) }
                excluded += possible.contains(1) ? 0 : 1
            }
        }
        expect(wrong, equals: [])
        // The other pattern is excluded by the three characters that are asked about.
        let longer = (0..<length).reduce(0) { $0 + Exhaustive.power(6, $1) }
        expect(excluded, equals: 3 * longer)
    }

    @Test("more beginnings than are kept only exclude less") func manyBeginnings() throws {
        var chance = SplitMix64(seed: 7)
        let letters = (0..<60).map { String(UnicodeScalar(UInt8(65 + $0))) }
        func word() -> String { (0..<4).map { _ in chance.pick(letters) }.joined() }
        let words = (0..<400).map { _ in word() }
        var bench = try Bench(["^(?:\(words.map { "\\Q\($0)\\E" }.joined(separator: "|")))", "^[A-M]{3}N"])
        var (excluded, wrong) = (0, [String]())
        for value in words + (0..<4000).map({ _ in word() }) {
            let answer = bench.possible(in: value)
            let possible = try #require(answer)
            if !bench.found(in: value).isSubset(of: possible) { wrong.append(value) }
            excluded += possible.isEmpty ? 1 : 0
        }
        expect(wrong, equals: [])
        #expect(excluded > 0 && excluded < 4400)
    }

    @Test("filters say the same of values with what is known of beginnings") func filtersAgree() throws {
        var chance = SplitMix64(seed: 11)
        let account = try AccountText.account(
            """
            filters:
              - {name: a, key: ip, regex: "^10\\\\."}
              - {name: b, key: ip, match: "10.0.0.1"}
              - {name: c, key: ip, regex: "^1(92|72)\\\\."}
              - {name: d, key: ip, regex: "\\\\.1$"}
            """)
        var (learning, fresh) = (AttributeFilters(account), AttributeFilters(account))
        let matcher = PatternMatcher()
        for _ in 0..<3000 {
            let parts = (0..<4).map { _ in chance.pick(["1", "10", "192", "172", "é", ""]) }
            let value = Array(parts.joined(separator: ".").utf8)
            let first = learning.match(value.span, at: 0, matcher: matcher)
            // One that has seen nothing searches each pattern.
            expect(fresh.match(value.span, at: 0, matcher: matcher), equals: first)
            fresh = AttributeFilters(account)
        }
    }
}
