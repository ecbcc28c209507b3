import Testing

@testable import PolicyEngine
@testable import TestSupport

extension FilterTests {
    @Suite("R7.2 no search goes on for long") struct SearchBudgetTests {
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
            #expect(matcher.search(pattern, in: bytes.span, isUTF8: bytes.span.isASCII) == row.answer)
            #expect(matcher.search(pattern, in: bytes.span) == row.answer)
        }

        @Test("where a fast search gives up, a counted one may still find out", arguments: ["needle", "hay"])
        func givesUpLate(end: String) throws {
            let bytes = Array((String(repeating: "hay ", count: 1000) + end).utf8)
            let pattern = try Pattern("^.*(?:n|e)e.*(?:d|l)le$")
            #expect(PatternMatcher().search(pattern, in: bytes.span) == (end == "needle" ? .found : .notFound))
        }

        @Test("bytes that are not UTF-8 are not matched, however many", arguments: [1, 5000])
        func notUTF8(count: Int) throws {
            let bytes = Array(repeating: UInt8(ascii: "a"), count: count) + [0xFF]
            #expect(PatternMatcher().search(try Pattern("a"), in: bytes.span) == .notFound)
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
            #expect(cost.budget(forBytes: row.bytes) == expected)
        }

        @Test("moving costs in either direction, and so does a step") func moves() {
            var budget = SearchBudget(total: 100, perByte: 2, perStep: 10)
            let goesOn = [10, 0, 0, 5, 5, 5].map { budget.spend(movingTo: $0) }
            #expect(goesOn == [true, true, true, true, true, false])
        }
    }
}
