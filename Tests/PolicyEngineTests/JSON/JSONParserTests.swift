import Testing

@testable import PolicyEngine

@Suite("RFC 8259 JSON") struct JSONParserTests {
    /// Documents, and the same written again with sorted names.
    static let documents = [
        ("null", "null"), (" [ ] ", "[]"), ("{}", "{}"), ("[true,false]", "[true,false]"),
        (#"{"b":1,"a":[1.50,-0,1e+3]}"#, #"{"a":[1.50,-0,1e+3],"b":1}"#),
        (#""\u0041\n\"\\\/\ud83d\ude00é""#, #""A\n\"\\/😀é""#), (#"{"é":1,"e":{}}"#, #"{"e":{},"é":1}"#),
        ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"e\u{301}\":2,\"\u{E9}\":1}"), ("\t\r\n0", "0"),
        ("[1e5,2E10,0e0,3e-1,4E+2]", "[1e5,2E10,0e0,3e-1,4E+2]"),
    ]

    @Test("sound documents", arguments: documents) func reads(text: String, written: String) throws {
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

    @Test("unsound documents", arguments: unsound) func refuses(text: String) {
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
