import Documents
import Testing

@testable import TestSupport

@Suite struct DocumentReaderTests {
    /// Something to read, and how; the reading is printed, `nil` as "nothing".
    struct Row: Sendable, CustomTestStringConvertible {
        let name, text, result: String
        let problems: [Problem]
        let read: @Sendable (inout DocumentReader, Node) -> String?
        var testDescription: String { "\(name) \(text)" }
    }

    /// Rows of one kind: a text with the reading that it should give.
    private static func good(
        _ name: String, _ pairs: [(String, String)], _ read: @escaping @Sendable (inout DocumentReader, Node) -> String?
    ) -> [Row] {
        pairs.map { Row(name: name, text: $0.0, result: $0.1, problems: [], read: read) }
    }

    /// Rows of one kind: a text with the problem at ①.
    private static func bad(
        _ name: String, _ texts: [(String, String, hint: String?)],
        _ read: @escaping @Sendable (inout DocumentReader, Node) -> String?
    ) -> [Row] {
        texts.map { text, message, hint in
            Row(name: name, text: text, result: "nothing", problems: [Problem("①", message, hint: hint)], read: read)
        }
    }

    private static let text: @Sendable (inout DocumentReader, Node) -> String? = { $0.text($1, "`label`") }
    private static let day: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.integer(node, "`billing-day`", in: 1...28).map(String.init)
    }
    private static let anyNumber: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.integer(node, "`seed`", in: .min ... .max).map(String.init)
    }
    private static let count: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.integer(node, "`count`", in: 1 ... .max).map(String.init)
    }
    private static let most: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.integer(node, "`depth`", in: .min...5).map(String.init)
    }
    private static let boolean: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.boolean(node, "`risk`").map { "\($0)" }
    }
    private static let onOff: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.onOff(node, "`arc`").map { "\($0)" }
    }
    private static let duration: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.duration(node, "`grace`").map(String.init)
    }
    private static let choice: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.choice(node, "`ip-tracking`", from: ["none", "token", "full"])
    }
    private static let sequence: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.sequence(node, "`devices`").map { "\($0.count)" }
    }
    private static let texts: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.texts(node, "`flags`")?.map { "\($0.text)@\($0.position)" }.joined(separator: " ")
    }
    private static let mapping: @Sendable (inout DocumentReader, Node) -> String? = { reader, node in
        reader.mapping(node, "a device").map { "\($0.entries.count) in \($0.what)" }
    }

    static let goodRows =
        good("text", [("a b", "a b"), ("on", "on"), ("'5'", "5"), ("null", "null"), ("|\n a\n", "a\n")], text)
        + good("integer", [("1", "1"), ("28", "28"), ("'07'", "7")], day)
        + good("integer", [("-9223372036854775808", "-9223372036854775808"), ("-0", "0")], anyNumber)
        + good("boolean", [("true", "true"), ("false", "false"), ("'true'", "true")], boolean)
        + good("on or off", [("on", "true"), ("off", "false"), ("\"off\"", "false")], onOff)
        + good("duration", [("1h30m", "5400"), ("0s", "0"), ("'10s'", "10")], duration)
        + good("choice", [("token", "token"), ("'full'", "full")], choice)
        + good("list", [("[a, [b], {c: d}]", "3"), ("[]", "0")], sequence)
        + good("texts", [("[a, 'b', a]", "a@1:2 b@1:5 a@1:10"), ("- a\n- b", "a@1:3 b@2:3"), ("[]", "")], texts)
        + good("mapping", [("{a: 1, b: 2}", "2 in a device"), ("{}", "0 in a device")], mapping)

    // What is refused is in `Tests/Files/accounts/values.yaml`.
    static let badRows =
        bad("integer", [("①many", "`seed` must be a whole number, not `many`", nil)], anyNumber)
        + bad("integer", [("①0", "`count` must be a whole number of at least 1, not `0`", nil)], count)
        + bad("integer", [("①6", "`depth` must be a whole number of at most 5, not `6`", nil)], most)
        + bad(
            "the only choice", [("①other", "`ip-tracking` must be `only`, not `other`", hint: nil)]
        ) { reader, node in reader.choice(node, "`ip-tracking`", from: ["only"]) }

    @Test(arguments: goodRows + badRows) func reads(_ row: Row) throws {
        let marked = MarkedText(row.text)
        let document = YAMLParser.parse(marked.source)
        let root = try #require(document.root)
        var reader = DocumentReader(document)
        let result = row.read(&reader, root) ?? "nothing"
        #expect(result == row.result)
        #expect(MarkedText.found(reader.diagnostics) == marked.expected(row.problems))
    }

    @Test func warningsAreKeptApart() {
        let marked = MarkedText("a: ①b\n")
        var reader = DocumentReader(source: marked.source)
        reader.warning("odd", at: SourcePosition(line: 1, column: 4), hint: "look")
        #expect(!reader.diagnostics.hasErrors)
        #expect(reader.diagnostics.all.map(\.rendered) == ["file.yaml:1:4: warning: odd\n  a: b\n     ^\n  hint: look"])
    }

    @Test func aHundredErrorsAreEnough() {
        var reader = DocumentReader(source: SourceFile(path: "file.yaml", text: "a: b\n"))
        for column in 1...150 { reader.error("wrong", at: SourcePosition(line: 1, column: column)) }
        #expect(reader.isFull)
        #expect(reader.diagnostics.all.count == 101)
    }
}
