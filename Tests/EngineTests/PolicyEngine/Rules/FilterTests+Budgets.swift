import Testing

@testable import PolicyEngine
@testable import TestSupport

extension FilterTests {
    @Suite("R7.2 no search takes long") struct SearchBudgetTests {
        struct Row: LabelledRow {
            let pattern: String
            let value: String
            let answer: PatternMatcher.Answer

            var testDescription: String { "\(pattern) in \(value.utf8.count) bytes" }

            init(_ pattern: String, in unit: String, times count: Int, then end: String = "", _ answer: Answer) {
                self.pattern = pattern
                value = String(repeating: unit, count: count) + end
                self.answer = answer
            }
        }

        typealias Answer = PatternMatcher.Answer

        private static let run = String(repeating: "a", count: 90_000) + "z"

        // Searches that cost a little at each start of a match, and much in all.
        static let hostile = [
            Row("(?:[^z]y?)*+[qr]", in: run, times: 10, .limitHit),
            Row("(?:[^z]y?)*+[qr]", in: "a", times: 20_000, .limitHit),
            Row("[^z]*[qr]", in: "a", times: 1_000_000, .limitHit),
            Row("[^z]*+[qr]", in: "a", times: 1_000_000, .limitHit),
            Row("(?:(?=[^z]*+z?)a)*+[qr]", in: "a", times: 4096, .limitHit),
            Row("(?:(?=[^z]*+z?)a)*+[qr]", in: "a", times: 100_000, .limitHit),
            Row("[^z]{60000}y?[qr]", in: run, times: 10, .limitHit),
            Row("(a*)b?\\1c?[qr]", in: "a", times: 4096, .limitHit),
            Row("(a*)b?\\1c?[qr]", in: "a", times: 1_000_000, .limitHit),
            Row("(?:[^z]|(?1))*(x)?[qr]", in: "a", times: 1_000_000, .limitHit),
            Row("ä*ä*ä*ä*[qr]", in: "ä", times: 100_000, .limitHit),
            Row("(a+)+$", in: "a", times: 5000, then: "!", .limitHit),
        ]

        // Patterns that are cheap by character are searched in whatever there is.
        static let ordinary = [
            Row("needle$", in: "hay ", times: 1_000_000, then: "needle", .found),
            Row("[qr]$", in: "hay ", times: 1_000_000, .notFound),
            Row("[a-z]+[0-9]", in: "google, bullhead ", times: 100_000, .notFound),
            Row("\\d+\\.\\d+\\.\\d+$", in: "8.1.0, ", times: 100_000, then: "8.1.0", .found),
            Row("(foo|bar|baz)+z$", in: "foo bar baz ", times: 100_000, then: "bazz", .found),
            Row("^.*needle", in: "hay ", times: 50_000, then: "needle", .found),
            Row("^.*needle", in: "hay ", times: 50_000, .notFound),
            Row("x.*y", in: "hay ", times: 1000, .notFound),
            Row("ü$", in: "ä", times: 100_000, then: "ü", .found),
            Row("a{3}$", in: "b", times: 100_000, then: "aaa", .found),
            Row("(a)b\\1$", in: "b", times: 4000, then: "aba", .found),
        ]

        @Test("a search ends, and says so when it was given up", arguments: hostile + ordinary)
        func ends(_ row: Row) throws {
            let (bytes, matcher) = (Array(row.value.utf8), PatternMatcher())
            let pattern = try Pattern(row.pattern)
            expect(matcher.search(pattern, in: bytes.span, isUTF8: bytes.span.isASCII), equals: row.answer)
            expect(matcher.search(pattern, in: bytes.span), equals: row.answer)
        }

        @Test("where a fast search gives up, a counted one may still find out", arguments: ["needle", "hay"])
        func givesUpLate(end: String) throws {
            let bytes = Array((String(repeating: "hay ", count: 1000) + end).utf8)
            let pattern = try Pattern("^.*(?:n|e)e.*(?:d|l)le$")
            expect(PatternMatcher().search(pattern, in: bytes.span), equals: (end == "needle" ? .found : .notFound))
        }

        @Test("bytes that are not UTF-8 are not matched, however many", arguments: [1, 5000])
        func notUTF8(count: Int) throws {
            let bytes = Array(repeating: UInt8(ascii: "a"), count: count) + [0xFF]
            expect(PatternMatcher().search(try Pattern("a"), in: bytes.span), equals: .notFound)
        }

        struct Cost: LabelledRow {
            let label: String
            let pattern: String
            var hasBackreferences = false
            var bytes = 1000
            let total: Int
            var perByte = 1
            let perStep: Int
        }

        static let costs = [
            Cost(label: "a short pattern", pattern: "abcd", total: 1_004_000, perStep: 1),
            Cost(label: "an empty one", pattern: "", total: 1_000_000, perStep: 1),
            Cost(label: "a repetition", pattern: "a{7}[^z]{1600}b{9}", total: 1_018_000, perStep: 101),
            Cost(label: "an upper bound", pattern: "a{7,1600}", total: 1_009_000, perStep: 1),
            Cost(
                label: "one beyond all bounds", pattern: "a{99999999999999999999}", total: 1_023_000,
                perStep: 62_500_001),
            Cost(
                label: "references back", pattern: "(a)\\1", hasBackreferences: true, bytes: 160_000, total: 1_800_000,
                perStep: 10_001),
            Cost(
                label: "a pattern of 4 KiB", pattern: String(repeating: "a", count: 4096), total: 5_096_000, perByte: 5,
                perStep: 5),
            Cost(
                label: "the longest of values", pattern: "abcdefghijklmnopqrst", bytes: 64 * 1024 * 1024,
                total: 1_000_000_000, perStep: 1),
            Cost(label: "beyond all numbers", pattern: "abcd", bytes: .max, total: 1_000_000_000, perStep: 1),
        ]

        @Test("a budget grows with pattern and value, and ends somewhere", arguments: costs)
        func budgetIsThatOfTheRow(_ row: Cost) {
            let cost = SearchCost(of: row.pattern, hasBackreferences: row.hasBackreferences)
            let expected = SearchBudget(total: row.total, perByte: row.perByte, perStep: row.perStep)
            expect(cost.budget(forBytes: row.bytes), equals: expected)
        }

        @Test("moving costs in either direction, and so does a step") func moves() {
            var budget = SearchBudget(total: 100, perByte: 2, perStep: 10)
            let goesOn = [10, 0, 0, 5, 5, 5].map { budget.spend(movingTo: $0) }
            expect(goesOn, equals: [true, true, true, true, true, false])
        }
    }
}

extension FilterTests {
    @Suite("R7.2 searches that are not done quickly") struct LongSearchTests {
        @Test("what is spent is no more than there was") func spent() {
            var budget = SearchBudget(total: 40, perByte: 2, perStep: 10)
            expect(budget.spent, equals: 0)
            // Two steps of 10, and 3 bytes of 2 to and fro.
            let goesOn = [3, 0].map { budget.spend(movingTo: $0) }
            #expect(goesOn == [true, true] && budget.spent == 32)
            let isOver = !budget.spend(movingTo: 0)
            #expect(isOver && budget.spent == 40)
            var none = SearchBudget.none
            let isNothing = !none.spend(movingTo: 0)
            #expect(isNothing && none.spent == 0)
        }

        @Test("just what is there may be spent") func exactly() {
            var budget = SearchBudget(total: 20, perByte: 1, perStep: 10)
            let goesOn = (0..<3).map { _ in budget.spend(movingTo: 0) }
            expect(goesOn, equals: [true, true, false])
        }

        @Test("what is kept is what searches find, whoever made the pattern", arguments: [false, true])
        func kept(_ keepsAll: Bool) throws {
            let matcher = PatternMatcher(keepsAll: keepsAll)
            for _ in 0..<3 {
                for (source, value, answer) in [
                    ("needle$", "hay hay hay hay hay hay hay needle", PatternMatcher.Answer.found),
                    ("needle$", "hay hay hay hay hay hay hay needles", .notFound), ("^a", "a", .found),
                    ("a[^a]$", String(repeating: "a", count: 5000), .notFound),
                    ("(a|aa)+$", String(repeating: "a", count: 40) + "!", .limitHit),
                ] {
                    let bytes = Array(value.utf8)
                    expect(matcher.search(try Pattern(source), in: bytes.span), equals: answer)
                }
            }
        }

        @Test("a search ends at its deadline, which says nothing of the value") func deadline() throws {
            let value = Array((String(repeating: "a", count: 40) + "!").utf8)
            let pattern = try Pattern("(a|aa)+$")
            expect(PatternMatcher(deadline: .now).search(pattern, in: value.span), equals: .limitHit)
            let later = PatternMatcher(deadline: .now + .seconds(3600))
            expect(later.search(pattern, in: value.span), equals: .limitHit)
            expect(pattern.valueAtLimit, equals: String(decoding: value, as: UTF8.self))
        }

        @Test("a long value that is no UTF-8 is not matched, however far it is searched") func unsound() throws {
            let bytes = Array(repeating: UInt8(ascii: "a"), count: 5000) + [0xC3]
            expect(PatternMatcher().search(try Pattern("a"), in: bytes.span), equals: .notFound)
        }

        @Test("the longest value that is searched quickly has 4096 bytes") func quickly() throws {
            let (matcher, pattern) = (PatternMatcher(), try Pattern("z"))
            for (count, answer) in [(4096, PatternMatcher.Answer.notFound), (4097, .limitHit)] {
                let bytes = Array(repeating: UInt8(ascii: "a"), count: count)
                expect(matcher.searchQuickly(pattern, in: bytes.span), equals: answer)
                expect(matcher.search(pattern, in: bytes.span), equals: .notFound)
            }
        }
    }

    @Suite("R7.2 the values on which a pattern reaches its limit") struct ReachedLimitTests {
        private static func value(_ number: Int) -> String {
            "\(number)" + String(repeating: "a", count: 4200)
        }

        // Each step of its search counts for thousands.
        private static func pattern() throws -> Pattern { try Pattern("a[^a]|y{60000}") }

        @Test("a thousand distinct values may reach it, however often and by whomever they are searched") func limit()
            throws
        {
            let pattern = try Self.pattern()
            for _ in 0..<2 {
                let matcher = PatternMatcher()
                for number in 0..<1000 {
                    expect(matcher.isFound(pattern, in: Self.value(number)), equals: nil)
                }
            }
            #expect(!pattern.isBeyondLimit)
            expect(PatternMatcher().isFound(pattern, in: "ab"), equals: true)
            expect(PatternMatcher().isFound(pattern, in: Self.value(1000)), equals: nil)
            #expect(pattern.isBeyondLimit)
        }

        @Test("beyond that, searches are made only if they are done quickly") func beyond() throws {
            let (pattern, matcher) = (try Self.pattern(), PatternMatcher())
            for number in 0...1000 { _ = matcher.isFound(pattern, in: Self.value(number)) }
            expect(matcher.isFound(pattern, in: "ab" + Self.value(0)), equals: nil)
            expect(matcher.isFound(try Self.pattern(), in: "ab" + Self.value(0)), equals: true)
            expect(matcher.isFound(pattern, in: "ab"), equals: true)
            expect(matcher.isFound(pattern, in: "b"), equals: false)
        }

        @Test("the value that is named is the shortest, and then the least, in any order") func named() throws {
            for numbers in [Array(0...1000), (0...1000).reversed(), Array(500...1000) + Array(0..<500)] {
                let (pattern, matcher) = (try Self.pattern(), PatternMatcher())
                // It is found, though it takes long.
                expect(matcher.isFound(pattern, in: "ab" + Self.value(0).dropLast(2)), equals: true)
                expect(pattern.valueAtLimit, equals: nil)
                for number in numbers { _ = matcher.isFound(pattern, in: Self.value(number)) }
                expect(pattern.valueAtLimit, equals: Self.value(0))
            }
        }
    }
}
