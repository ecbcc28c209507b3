import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R7.2 settings at the start of a pattern") struct PatternSettingTests {
    struct Row: LabelledRow {
        let pattern: String
        let value: String
        let isFound: Bool

        var testDescription: String { "\(pattern) in \(value.debugDescription)" }

        init(_ pattern: String, _ value: String, _ isFound: Bool) {
            (self.pattern, self.value, self.isFound) = (pattern, value, isFound)
        }
    }

    static let rows = [
        // An empty match is none, or none at the start.
        Row("(*NOTEMPTY)a*", "bx", false), Row("(*NOTEMPTY)a*", "bax", true), Row("(*NOTEMPTY)a*", "", false),
        Row("(*NOTEMPTY_ATSTART)^a*", "bx", false), Row("(*NOTEMPTY_ATSTART)a*", "bx", true),
        Row("(*CRLF)^a$", "a\r\n", true), Row("(*CR)^a$", "a\n", false), Row("^a$", "a\n", true),
        Row("(*NO_JIT)a", "ba", true), Row("a*", "bx", true),
    ]

    @Test("they hold whether or not a value is known to be UTF-8", arguments: rows) func hold(_ row: Row) throws {
        let (pattern, matcher) = (try Pattern(row.pattern), PatternMatcher())
        let bytes = Array(row.value.utf8)
        for isUTF8 in [true, false] {
            #expect((matcher.search(pattern, in: bytes.span, isUTF8: isUTF8) == .found) == row.isFound)
        }
    }
}
