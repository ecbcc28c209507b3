import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("RFC 8259 JSON") struct JSONParserTests {
    /// Documents, and the same written again with sorted names.
    static let documents = [
        ("null", "null"), (" [ ] ", "[]"), ("{}", "{}"), ("[true,false]", "[true,false]"),
        (#"{"b":1,"a":[1.50,-0,1e+3]}"#, #"{"a":[1.50,-0,1e+3],"b":1}"#),
        (#""\u0041\n\"\\\/\ud83d\ude00é""#, #""A\n\"\\/😀é""#), (#"{"é":1,"e":{}}"#, #"{"e":{},"é":1}"#),
        ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"e\u{301}\":2,\"\u{E9}\":1}"), ("\t\r\n0", "0"),
        ("[1e5,2E10,0e0,3e-1,4E+2]", "[1e5,2E10,0e0,3e-1,4E+2]"),
    ]

    @Test("valid documents", arguments: documents) func reads(text: String, written: String) throws {
        var output = JSONBytes()
        try JSONParser.parse(Array(text.utf8)).writeSorted(to: &output)
        #expect(String(decoding: output.bytes, as: UTF8.self).utf8.elementsEqual(written.utf8))
    }

    static let unsound = [
        "", " ", "nul", "tru", "01", "1.", ".5", "1e", "1ex5", "+1", "-", "--1", "0x1", "NaN", "Infinity", "'a'", "\"a",
        "\"\u{07}\"",
        #""\x""#, #""\u12""#, #""\u12G4""#, #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "[1,]", "[,1]", "[1 2]",
        "{1:2}",
        #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#, "[1]]", "{} {}", "[", "{", "1 2", "\u{FEFF}1",
        String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
    ]

    @Test("invalid documents", arguments: unsound) func refuses(text: String) {
        #expect(throws: JSONFailure.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test("what is no UTF-8") func refusesOtherEncodings() {
        for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE9]] as [[UInt8]] {
            #expect(throws: JSONFailure.self) { try JSONParser.parse([0x22] + bytes + [0x22]) }
        }
    }

    // Lists and objects of one member, one in another, and nothing in the innermost.
    private static func nested(_ openings: [String]) -> [UInt8] {
        let inner = openings.last == "[" ? "[]" : "{}"
        let text = openings.dropLast().reversed().reduce(inner) { $1 == "[" ? "[\($0)]" : "{\"a\":\($0)}" }
        return Array(text.utf8)
    }

    @Test("sixteen deep, and no deeper, whatever is in what", arguments: [["["], ["{"], ["[", "{"], ["{", "["]])
    func nests(kinds: [String]) throws {
        let openings = { (count: Int) in (0..<count).map { kinds[$0 % kinds.count] } }
        #expect(throws: Never.self) { try JSONParser.parse(Self.nested(openings(16))) }
        #expect(throws: JSONFailure.self) { try JSONParser.parse(Self.nested(openings(17))) }
    }
}

@Suite struct JSONValueTests {
    struct Row: LabelledRow {
        let label: String
        let value: JSONValue
        let line: String
        /// With levels of two spaces, without the newline at the end.
        let indented: String
    }

    static let rows = [
        Row(label: "a number", value: .integer(-7), line: "-7", indented: "-7"),
        Row(label: "what needs escapes", value: .string("a\"\n"), line: #""a\"\n""#, indented: #""a\"\n""#),
        Row(label: "an empty list", value: .array([]), line: "[]", indented: "[]"),
        Row(label: "an object without members", value: .ordered([]), line: "{}", indented: "{}"),
        Row(
            label: "a list", value: .array([.null, .boolean(true), .boolean(false)]), line: "[null,true,false]",
            indented: "[\n  null,\n  true,\n  false\n]"),
        Row(
            label: "members in the order given, with lists inside",
            value: .ordered([("b", .array([.integer(1), .integer(2)])), ("a", .array([]))]),
            line: #"{"b":[1,2],"a":[]}"#, indented: "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": []\n}"),
        Row(
            label: "members by the bytes of their keys", value: .sorted(["é": .null, "z": .null, "Z": .null]),
            line: #"{"Z":null,"z":null,"é":null}"#, indented: "{\n  \"Z\": null,\n  \"z\": null,\n  \"é\": null\n}"),
    ]

    @Test("one line, and several", arguments: rows) func forms(_ row: Row) {
        var output = JSONBytes()
        row.value.write(to: &output)
        expect(String(decoding: output.bytes, as: UTF8.self), equals: row.line)
        expect(row.value.indented(), equals: row.indented + "\n")
    }

    @Test("a level may have more spaces") func width() {
        let value = JSONValue.ordered([("a", .array([.integer(1)]))])
        expect(value.indented(by: 4), equals: "{\n    \"a\": [\n        1\n    ]\n}\n")
    }
}

@Suite("RFC 8259 JSON that is written") struct JSONBytesTests {
    private static func written(_ write: (inout JSONBytes) -> Void) -> String {
        var output = JSONBytes()
        write(&output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    // RFC 8259, 7: the two-character escapes, and four hexadecimal digits for each UTF-16 unit of what steers a terminal
    // or is not seen (Default_Ignorable_Code_Point).
    static let texts: [Case<String, String>] = [
        Case("nothing to escape", "a/b ~", gives: #""a/b ~""#),
        Case("a quote alone", "\"", gives: #""\"""#),
        Case("a backslash alone", "\\", gives: #""\\""#),
        Case("quotes and backslashes", #"a"b\c"#, gives: #""a\"b\\c""#),
        Case("short escapes", "\u{08}\t\n\u{0C}\r", gives: #""\b\t\n\f\r""#),
        Case("first and last control", "\u{00}\u{1F}\u{20}", gives: #""\u0000\u001f ""#),
        Case("delete and C1", "~\u{7F}\u{80}\u{9F}\u{A0}", gives: "\"~\\u007f\\u0080\\u009f\u{A0}\""),
        Case(
            "direction marks and joiners", "\u{61C}\u{200A}\u{200B}\u{200D}\u{200E}\u{200F}\u{2010}",
            gives: "\"\\u061c\u{200A}\\u200b\\u200d\\u200e\\u200f\u{2010}\""),
        Case(
            "line separators and embeddings", "\u{2027}\u{2028}\u{202E}\u{202F}",
            gives: "\"\u{2027}\\u2028\\u202e\u{202F}\""),
        Case(
            "unseen marks", "\u{205F}\u{2060}\u{206F}\u{2070}\u{FEFF}",
            gives: "\"\u{205F}\\u2060\\u206f\u{2070}\\ufeff\""),
        Case(
            "annotations of lines", "\u{FFEF}\u{FFF0}\u{FFF8}\u{FFF9}\u{FFFB}\u{FFFC}",
            gives: "\"\u{FFEF}\\ufff0\\ufff8\\ufff9\\ufffb\u{FFFC}\""),
        // 0xE007F − 0x10000 = 0xD007F, of which the upper ten bits are 0x340 and the lower ten 0x7F. Unicode names all up to
        // U+E0FFF: 0xD0FFF has 0x343 and 0x3FF.
        Case(
            "tags", "\u{E0000}\u{E007F}\u{E0080}\u{E0FFF}\u{E1000}",
            gives: "\"\\udb40\\udc00\\udb40\\udc7f\\udb40\\udc80\\udb43\\udfff\u{E1000}\""),
        Case("other scripts are kept", "é😀", gives: "\"é😀\""),
    ]

    @Test("texts are escaped where a terminal might act on them", arguments: texts)
    func strings(_ row: Case<String, String>) {
        expect(Self.written { $0.string(row.input) }, equals: row.expected)
    }

    @Test(
        "whole numbers",
        arguments: [
            (0, "0"), (7, "7"), (-7, "-7"), (10, "10"), (1203, "1203"), (-90, "-90"), (Int.max, "9223372036854775807"),
            (Int.min, "-9223372036854775808"),
        ])
    func integers(value: Int, text: String) {
        // The bytes before it are not reversed.
        expect(
            Self.written {
                $0.raw("12,")
                $0.integer(value)
            }, equals: "12,\(text)")
    }

    @Test("what was read is a number, or none") func integersOfContent() throws {
        let content = try JSONParser.parse(Array(#"{"a":12,"b":1.5,"c":"12","d":99999999999999999999}"#.utf8))
        expect(content["a"]?.integer, equals: 12)
        #expect(content["b"]?.integer == nil && content["c"]?.integer == nil && content["d"]?.integer == nil)
        #expect(content["c"]?.text == "12" && content["a"]?.text == nil)
        #expect(content["e"] == nil && content["a"]?["a"] == nil)
    }
}
