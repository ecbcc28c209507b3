import Testing

@testable import Replay
@testable import TestSupport

/// Captures that no text file can hold, or only a long one (formats: Captures, 3); the others are transcripts.
@Suite struct JSONProblemTests {
    private static let id = SampleDevice.iphone
    private static let start = "\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"\(id)\""

    @Test(arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0xBD], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func textThatIsNotUTF8IsMalformed(_ wrong: [UInt8]) throws {
        let before = Array("{\(Self.start),\"x\":\"".utf8)
        let bytes = before + wrong + Array("\"}\n{\(Self.start)}\n".utf8)
        let lines = try ReadCapture(bytes: bytes).lines
        expect(lines.first?.hasPrefix("1! not a JSON object: "), equals: true)
        expect(lines.last, equals: "2: 2020-07-23T11:10:43Z \(Self.id)")
        expect(lines.count, equals: 2)
    }

    @Test func deviceInformationThatIsNotUTF8IsMalformed() throws {
        let record = "--- \(Self.id) 2020-07-23 12:10:43 BST ---\napp-name: x"
        let bytes = Array(record.utf8) + [0xFF, 0x0A] + Array("--- \(Self.id) 2020-07-23 12:10:44 BST ---\n".utf8)
        let lines = try ReadCapture(bytes: bytes).lines
        expect(lines.first, equals: "1! not UTF-8 at byte \(record.utf8.count + 1) of the record")
        expect(lines.count, equals: 2)
    }

    @Test func aDeepStructureIsMalformedAndNothingWorse() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let lines = try ReadCapture("{\(Self.start),\"x\":\(deep)}\n{\(Self.start)}\n").lines
        expect(lines.count, equals: 2)
        expect(lines.first?.hasPrefix("1! "), equals: true)
    }
}

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
        expect(UserProperty.sent(row.input), equals: row.expected)
    }
}
