import Documents
import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// Instants and percentages, as documents write them.
@Suite struct RuleValueTests {
    struct Row: LabelledRow {
        /// The text, with ① at the problem, if there is one.
        let text: String
        /// The value that is read, in words; `nil` if there is none.
        var result: String?
        var problem: Problem?

        /// A text that is read.
        init(_ text: String, is result: String) {
            (self.text, self.result) = (text, result)
        }

        /// A text that is an error.
        init(_ text: String, _ message: String, hint: String? = nil) {
            self.text = text
            problem = Problem("①", message, hint: hint)
        }

        func test(_ read: (inout DocumentReader, Node) -> String?) throws {
            let marked = MarkedText(text)
            let document = YAMLParser.parse(marked.source)
            let root = try #require(document.root)
            var reader = DocumentReader(document)
            #expect(read(&reader, root) == result)
            #expect(MarkedText.found(reader.diagnostics) == marked.expected(problem.map { [$0] } ?? []))
        }
    }

    private static let instant = "`start` must be an instant such as `2020-07-23T00:00:00Z`, not "
    private static let share = "the rate of `rooted` must be a percentage from `0%` to `100%`, not "
    private static let percent = "`sampling-percentage` must be a number of percent from `0` to `100`, not "

    static let instants = [
        Row("2020-07-23T12:10:43+01:00", is: "2020-07-23T11:10:43Z"),
        Row("①2020-07-23", instant + "`2020-07-23`", hint: "write `2020-07-23T00:00:00Z`"),
        Row("①2020-07-23 11:10:43", instant + "`2020-07-23 11:10:43`", hint: "write `2020-07-23 11:10:43Z`"),
        Row("①2020-02-30T00:00:00Z", instant + "`2020-02-30T00:00:00Z`"),
    ]

    @Test(arguments: instants) func readsInstants(_ row: Row) throws {
        try row.test { $0.instant($1, "`start`")?.description }
    }

    static let percentages = [
        Row("2%", is: "2000000000"), Row("0.1%", is: "100000000"), Row("100%", is: "100000000000"),
        Row("①2", share + "`2`", hint: "write `2%`"), Row("①101%", share + "`101%`"), Row("①-1%", share + "`-1%`"),
        Row("①2 %", share + "`2 %`"),
    ]

    @Test(arguments: percentages) func readsPercentages(_ row: Row) throws {
        try row.test { ($0.percentage($1, "the rate of `rooted`")?.billionths).map(String.init) }
    }

    static let barePercentages = [
        Row("0.1", is: "100000000"), Row("0", is: "0"), Row("①0.1%", percent + "`0.1%`", hint: "write `0.1`"),
        Row("①200", percent + "`200`"),
    ]

    @Test(arguments: barePercentages) func readsBarePercentages(_ row: Row) throws {
        try row.test { ($0.barePercentage($1, "`sampling-percentage`")?.billionths).map(String.init) }
    }
}
