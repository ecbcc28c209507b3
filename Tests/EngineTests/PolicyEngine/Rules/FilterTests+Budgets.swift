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
    @Suite("R7.2 what the searches of a run may cost") struct RunBudgetTests {
        @Test("a search is limited, and what it spent is no more than it had") func limits() {
            let budget = SearchBudget(total: 100, perByte: 2, perStep: 10)
            expect(budget.limited(to: 40), equals: SearchBudget(total: 40, perByte: 2, perStep: 10))
            expect(budget.limited(to: 400), equals: budget)
            var limited = budget.limited(to: 40)
            expect(limited.spent, equals: 0)
            // Two steps of 10, and 3 bytes of 2 to and fro.
            let goesOn = [3, 0].map { limited.spend(movingTo: $0) }
            #expect(goesOn == [true, true] && limited.spent == 32)
            let isOver = !limited.spend(movingTo: 0)
            #expect(isOver && limited.spent == 40)
            var none = SearchBudget.none
            let isNothing = !none.spend(movingTo: 0)
            #expect(isNothing && none.spent == 0)
        }

        @Test("just what is there may be spent") func exactly() {
            var budget = SearchBudget(total: 20, perByte: 1, perStep: 10)
            let goesOn = (0..<3).map { _ in budget.spend(movingTo: 0) }
            expect(goesOn, equals: [true, true, false])
        }

        @Test("each filter of a run has a budget of its own, which searches of a value alone leave as it is")
        func runs() {
            var budget = RunBudget(total: 100)
            #expect(budget.limit(of: 0, .ofRun) == 100 && budget.limit(of: 24, .ofRun) == 100)
            budget.spend(30, of: 0, .ofRun)
            budget.spend(30, of: 0, .ofValue)
            budget.spend(30, of: 0, .deferred)
            #expect(budget.limit(of: 0, .ofRun) == 70 && budget.limit(of: 1, .ofRun) == 100)
            budget.spend(71, of: 0, .ofRun)
            expect(budget.limit(of: 0, .ofRun), equals: 0)
            #expect(budget.limit(of: 0, .ofValue) == 20_000 && budget.limit(of: 0, .deferred) == 0)
        }

        // Longer than what is searched quickly, so that every search is counted: at each of 5000 positions two items are tried
        // at least, so that ten searches spend 100 000.
        @Test("a filter whose budget is spent is given up, and the others are searched on") func spent() throws {
            let bytes = Array(repeating: UInt8(ascii: "a"), count: 5000)
            let pattern = try Pattern("a[^a]$")
            let reference = unsafe PatternReference(pattern)
            let matcher = PatternMatcher(runBudget: 100_000)
            var answers: [PatternMatcher.Answer] = []
            for number in 0..<40 {
                var value = bytes
                value[0] = UInt8(ascii: "0") + UInt8(number)
                let answer = matcher.searchFurther(reference, of: 3, in: value.span, true, .ofRun)
                answers.append(answer)
            }
            #expect(answers.first == .notFound && answers.last == .limitHit)
            // Once it is given up it stays so.
            #expect(answers.drop { $0 == .notFound }.allSatisfy { $0 == .limitHit })
            let others = (
                matcher.searchFurther(reference, of: 2, in: bytes.span, true, .ofRun),
                matcher.searchFurther(reference, of: 3, in: bytes.span, true, .ofValue),
                matcher.searchFurther(reference, of: 2, in: bytes.span, true, .deferred)
            )
            #expect(others == (.notFound, .notFound, .limitHit))
            withExtendedLifetime(pattern) {}
        }

        // The budget is enough for some values, and each of forty patterns with one source searches two.
        @Test("a value is searched once, however often a command asks, and a pattern is known by its source")
        func searchedOnce() throws {
            let values = ["x", "y"].map { Array("\($0)\(String(repeating: "a", count: 5000))".utf8) }
            let matcher = PatternMatcher(runBudget: 100_000)
            for filter in 0..<40 {
                let pattern = try Pattern("a[^a]$")
                for value in values {
                    let answer = unsafe matcher.searchFurther(
                        PatternReference(pattern), of: filter % 3, in: value.span, true, .ofRun)
                    expect(answer, equals: .notFound)
                }
                withExtendedLifetime(pattern) {}
            }
            #expect(!matcher.isSpent)
        }

        @Test("what is kept of quick searches, too, is what they find", arguments: [false, true])
        func kept(_ keepsAll: Bool) throws {
            let matcher = PatternMatcher(runBudget: RunBudget.total, keepsAll: keepsAll)
            for _ in 0..<3 {
                for (source, value, answer) in [
                    ("needle$", "hay hay hay hay hay hay hay needle", PatternMatcher.Answer.found),
                    ("needle$", "hay hay hay hay hay hay hay needles", .notFound), ("^a", "a", .found),
                    ("(a|aa)+$", String(repeating: "a", count: 40) + "!", .limitHit),
                ] {
                    let bytes = Array(value.utf8)
                    expect(matcher.search(try Pattern(source), in: bytes.span), equals: answer)
                }
            }
        }

        @Test("a search ends at its deadline, whatever is left") func deadline() throws {
            let value = Array((String(repeating: "a", count: 40) + "!").utf8)
            let (late, usual) = (
                PatternMatcher(runBudget: RunBudget.total, deadline: .now),
                PatternMatcher(runBudget: 1_000_000, deadline: .now + .seconds(3600))
            )
            let pattern = try Pattern("(a|aa)+$")
            expect(late.search(pattern, in: value.span), equals: .limitHit)
            // It spent next to nothing; the other one all that a search may.
            #expect(!late.isSpent)
            expect(usual.search(pattern, in: value.span), equals: .limitHit)
            #expect(usual.isSpent)
        }

        @Test("a long value that is no UTF-8 is not matched, however far it is searched") func unsound() throws {
            let bytes = Array(repeating: UInt8(ascii: "a"), count: 5000) + [0xC3]
            let pattern = try Pattern("a")
            let matcher = PatternMatcher()
            let answer = unsafe matcher.searchFurther(PatternReference(pattern), of: 0, in: bytes.span, false, .ofRun)
            expect(answer, equals: .notFound)
            withExtendedLifetime(pattern) {}
        }

        @Test("the longest value that is searched quickly has 4096 bytes") func quickly() throws {
            let pattern = try Pattern("z")
            let (matcher, reference) = unsafe (PatternMatcher(), PatternReference(pattern))
            for (count, answer) in [(4096, PatternMatcher.Answer.notFound), (4097, .limitHit)] {
                let bytes = Array(repeating: UInt8(ascii: "a"), count: count)
                for isUTF8 in [true, false] {
                    let deferred = matcher.search(reference, of: 0, in: bytes.span, isUTF8: isUTF8, .deferred)
                    let ofRun = matcher.search(reference, of: 0, in: bytes.span, isUTF8: isUTF8, .ofRun)
                    #expect(deferred == answer && ofRun == .notFound)
                }
            }
            withExtendedLifetime(pattern) {}
        }
    }
}
