import Testing

@testable import PolicyEngine
@testable import TestSupport

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
        #expect(String(decoding: output.bytes, as: UTF8.self) == row.line)
        #expect(row.value.indented() == row.indented + "\n")
    }

    @Test("a level may have more spaces") func width() {
        let value = JSONValue.ordered([("a", .array([.integer(1)]))])
        #expect(value.indented(by: 4) == "{\n    \"a\": [\n        1\n    ]\n}\n")
    }
}
