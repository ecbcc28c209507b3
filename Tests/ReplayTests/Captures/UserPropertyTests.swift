import Testing

@testable import Replay
@testable import TestSupport

/// The user property as the service sees it (R7.8).
@Suite struct UserPropertyTests {
    static let rows: [Case<String, String?>] = [
        Case("printable ASCII", " ~!'\\09azAZ", gives: " ~!'\\09azAZ"),
        Case("quotes and slashes", "\"a\"/b", gives: "?a??b"),
        Case("control characters", "a\tb\u{7F}", gives: "a?b?"), Case("letters beyond ASCII", "é🚗", gives: "??"),
        Case("a letter of two characters", "e\u{301}", gives: "e?"), Case("nothing", "", gives: ""),
        Case("128 characters", String(repeating: "x", count: 128), gives: String(repeating: "x", count: 128)),
        Case("129 characters", String(repeating: "x", count: 129), gives: nil),
    ]

    @Test("R7.8 a property is sent as ASCII, if it is not too long", arguments: rows)
    func properties(_ row: Case<String, String?>) {
        #expect(UserProperty.sent(row.input) == row.expected)
    }
}
