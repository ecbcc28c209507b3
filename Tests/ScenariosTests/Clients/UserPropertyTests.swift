import Testing

@testable import Replay
@testable import TestSupport

/// The text that a client sends for a user property (R7.8).
@Suite struct UserPropertyTests {
    static let rows: [Case<String, String?>] = [
        Case("plain", "user 17, gold", gives: "user 17, gold"), Case("empty", "", gives: ""),
        Case("quotes and slashes", "a\"b/c\\d'e", gives: "a?b?c\\d'e"),
        Case("the ends of printable ASCII", " ~", gives: " ~"),
        Case("control characters", "a\tb\nc\u{7F}d\0", gives: "a?b?c?d?"),
        Case("a letter beyond ASCII", "Zoë", gives: "Zo?"),
        Case("the longest", String(repeating: "x", count: 128), gives: String(repeating: "x", count: 128)),
        Case("too long", String(repeating: "x", count: 129), gives: nil),
        Case("the longest of others", String(repeating: "é", count: 128), gives: String(repeating: "?", count: 128)),
    ]

    @Test(arguments: rows) func isCleaned(_ row: Case<String, String?>) {
        expect(UserProperty.sent(row.input), equals: row.expected)
    }
}
