import Documents
import Testing

@testable import TestSupport

@Suite struct YAMLParserErrorTests {
    struct Row: LabelledRow {
        let name, text: String
        let problems: [Problem]

        init(_ name: String, _ text: String, _ problems: Problem...) {
            (self.name, self.text, self.problems) = (name, text, problems)
        }
    }

    private static let quote = "put the text in quotes"
    private static let indentation = "check the indentation"
    private static let writeOut = "write the value out wherever it is used, or put the text in quotes"
    private static let removeTag = "remove the tag, or put the text in quotes"
    private static let colon = "check the indentation, or put text that holds `: ` in quotes"
    private static let quoteAll = "put the whole value in quotes; in single quotes `''` stands for one"

    static let syntax = [
        Row("open double quote", "a: ①\"one\nb: 2\n", Problem("①", "the quoted text that starts here never ends")),
        Row(
            "open single quote before a document", "a: ①'one\n---\n",
            Problem("①", "the quoted text that starts here never ends")),
        Row("open list", "a:\n  - ①[1, 2\n", Problem("①", "the list that starts here never ends")),
        Row("open mapping", "a: ①{b: 1, c: 2\n", Problem("①", "the mapping that starts here never ends")),
        Row(
            "list with the wrong bracket", "a: [1, 2①}\n",
            Problem("①", "expected `,` or the `]` of the list that starts in line 1")),
        Row(
            "mapping with the wrong bracket", "a:\n  {b: 1①]\n",
            Problem("①", "expected `,` or the `}` of the mapping that starts in line 2")),
        Row("colon in a value", "a: one①: two\n", Problem("①", "a `:` is not allowed here", hint: colon)),
        Row("deeper key behind a value", "a: 1\n  b①: 2\n", Problem("①", "a `:` is not allowed here", hint: colon)),
        Row(
            "key without colon", "a: 1\n①b\nc: 3\n",
            Problem("①", "this line has no `:` behind its key", hint: indentation)),
        Row(
            "key half way out", "a:\n  b: 1\n ①c: 2\n",
            Problem("①", "expected another key of the mapping that starts in line 1", hint: indentation)),
        Row(
            "key among entries", "- 1\n①b: 2\n",
            Problem("①", "expected another `-` of the list that starts in line 1", hint: indentation)),
        Row(
            "entry beside a key", "a: ①- b\n",
            Problem("①", "a `-` is not allowed here", hint: "start the list in a line of its own")),
        Row("text behind quoted text", "a: 'it'①s'\n", Problem("①", "unexpected text behind a value", hint: quoteAll)),
        Row("explicit key beside a key", "a: ①? b\n", Problem("①", "a key is not allowed here", hint: indentation)),
        Row(
            "text behind the document", "{a: 1} ①x\n",
            Problem("①", "expected the end of the document", hint: indentation)),
        Row("comma without value", "[①,]\n", Problem("①", "expected a key or a value")),
        Row("at sign", "a: ①@x\n", Problem("①", "a value cannot start with `@`", hint: quote)),
        Row("percent sign", "a: ①%x\n", Problem("①", "a value cannot start with `%`", hint: quote)),
        Row("asterisk", "a: ①*.com\n", Problem("①", "a value cannot start with `*`", hint: quote)),
        Row("ampersand", "a: ①& b\n", Problem("①", "a value cannot start with `&`", hint: quote)),
        Row("tab as indentation", "a:\n①\tb: 1\n", Problem("①", "a tab cannot indent", hint: "indent with spaces")),
        Row("tab in block text", "a: |\n b\n①\tc\n", Problem("①", "a tab cannot indent", hint: "indent with spaces")),
        Row("control character", "é: x①\u{1B}[2J\n", Problem("①", "control characters are not allowed")),
        Row(
            "unknown escape", "a: \"①\\q\"\n",
            Problem("①", "unknown escape in quoted text", hint: "write `\\\\` for a backslash, or use single quotes")),
        Row(
            "broken escape", "a: \"\\u①12\"\n",
            Problem(
                "①", "this is not valid YAML: did not find expected hexdecimal number while parsing a quoted scalar")),
        Row(
            "directive of another version", "①%YAML 3.0\n---\na: 1\n",
            Problem("①", "this is not valid YAML: found incompatible YAML document")),
    ]

    static let refusals = [
        Row(
            "duplicate key", "a: 1\nb: 2\n①a: 3\n②b: 4\n",
            Problem("①", "key `a` is already given in line 1"), Problem("②", "key `b` is already given in line 2")),
        Row("duplicate key in flow style", "- {a: 1, ①\"a\": 2}\n", Problem("①", "key `a` is already given in line 1")),
        Row(
            "anchor, alias and tag together", "a: ①&x 1\nb: ②*x\nc: ③!!str 3\n",
            Problem("①", "anchors are not supported", hint: writeOut),
            Problem("②", "the alias `*x` is not supported", hint: writeOut),
            Problem("③", "tags are not supported", hint: removeTag)),
        Row(
            "anchors on collections", "a: ①&x\n  b: 1\nc: ②&y [1]\n",
            Problem("①", "anchors are not supported", hint: writeOut),
            Problem("②", "anchors are not supported", hint: writeOut)),
        Row(
            "tags on collections", "a: ①!!map\n  b: 1\nc: ②!!seq [1]\n",
            Problem("①", "tags are not supported", hint: removeTag),
            Problem("②", "tags are not supported", hint: removeTag)),
        Row("bare tag", "a: ①! b\n", Problem("①", "tags are not supported", hint: removeTag)),
        Row("tag of an unknown handle", "a: ①!x!y z\n", Problem("①", "tags are not supported", hint: removeTag)),
        Row("open tag", "a: ①!<x\n", Problem("①", "tags are not supported", hint: removeTag)),
        Row("alias as a key", "①*x : 1\n", Problem("①", "the alias `*x` is not supported", hint: writeOut)),
        Row("list as a key", "? ①[a]\n: b\n", Problem("①", "a key must be text, not a list")),
        Row("mapping as a key", "①{a: b}: c\n", Problem("①", "a key must be text, not a mapping")),
        Row("empty key", "①'': 1\n", Problem("①", "a key must not be empty")),
        Row(
            "second document", "a: 1\n①---\nb: 2\n",
            Problem("①", "a second document starts here; a file holds one", hint: "put it in a file of its own")),
    ]

    @Test(arguments: syntax + refusals) func reportsWhereItStands(_ row: Row) {
        let marked = MarkedText(row.text)
        let document = YAMLParser.parse(marked.source)
        #expect(MarkedText.found(document.diagnostics) == marked.expected(row.problems))
        #expect(document.diagnostics.hasErrors)
    }

    @Test(arguments: syntax) func thereIsNoTreeOfBrokenText(_ row: Row) {
        #expect(YAMLParser.parse(MarkedText(row.text).source).root == nil)
    }

    @Test(arguments: ["①", "\u{FEFF}①", "a: é\r\nb: x①", "\u{FEFF}a: é\rb: x①"])
    func invalidUTF8IsReportedWhereItStands(before: String) {
        let marked = MarkedText(before)
        let document = YAMLParser.parse(bytes: Array(marked.text.utf8) + [0xFF, 0x0A], path: "file.yaml")
        let column =
            before.hasPrefix("\u{FEFF}") && marked.positions["①"]?.line == 1 ? 1 : marked.positions["①"]?.column
        #expect(document.root == nil)
        #expect(document.diagnostics.all.map(\.message) == ["the file is not valid UTF-8"])
        #expect(document.diagnostics.all.first?.hint == "save the file as UTF-8")
        #expect(document.diagnostics.all.first?.position?.line == marked.positions["①"]?.line)
        #expect(document.diagnostics.all.first?.position?.column == column)
    }

    @Test func aCharacterCutInHalfIsInvalid() {
        let document = YAMLParser.parse(bytes: Array("a: é".utf8.dropLast()), path: "file.yaml")
        #expect(
            MarkedText.found(document.diagnostics) == ["1:4: the file is not valid UTF-8; hint: save the file as UTF-8"]
        )
    }
}

@Suite struct YAMLParserLimitsTests {
    struct Row: LabelledRow {
        let name, opening, closing: String
        /// The number of levels that one opening makes.
        let levels: Int
    }

    static let rows = [
        Row(name: "flow lists", opening: "[", closing: "]", levels: 1),
        Row(name: "flow mappings", opening: "{a: ", closing: "}", levels: 1),
        Row(name: "block lists", opening: "- ", closing: "", levels: 1),
        Row(name: "lists of pairs", opening: "[a: ", closing: "]", levels: 2),
    ]

    private func parse(_ row: Row, levels: Int) -> ParsedDocument {
        let count = levels / row.levels
        let text = String(repeating: row.opening, count: count) + "x" + String(repeating: row.closing, count: count)
        return YAMLParser.parse(SourceFile(path: "file.yaml", text: text))
    }

    @Test(arguments: rows) func nestsToTheLimit(_ row: Row) {
        let document = parse(row, levels: DocumentLimits.maximumNesting)
        #expect(document.diagnostics.isEmpty)
        #expect(document.root != nil)
    }

    @Test(arguments: rows) func refusesWhatNestsDeeper(_ row: Row) {
        for levels in [66, 100] {
            let document = parse(row, levels: levels)
            let column = DocumentLimits.maximumNesting / row.levels * row.opening.count + 1
            #expect(document.root == nil)
            #expect(
                MarkedText.found(document.diagnostics) == [
                    "1:\(column): nesting is deeper than 64 levels; hint: is a bracket left open?"
                ])
        }
    }

    @Test(arguments: rows) func millionsOfLevelsAreRefusedAtOnce(_ row: Row) {
        let text = String(repeating: row.opening, count: 4_000_000 / row.opening.count)
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: text))
        #expect(document.root == nil)
        #expect(document.diagnostics.all.map(\.message) == ["nesting is deeper than 64 levels"])
    }

    @Test func fourMillionBracketsAreRefusedAtOnce() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 4_000_000)
        let document = YAMLParser.parse(bytes: bytes, path: "file.yaml")
        #expect(
            MarkedText.found(document.diagnostics) == [
                "1:65: nesting is deeper than 64 levels; hint: is a bracket left open?"
            ])
        #expect(document.diagnostics.all.first?.rendered.count ?? .max < 500)
    }

    @Test func aFileThatIsTooLargeIsNotRead() {
        let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: DocumentLimits.maximumBytes + 1)
        let message = "file.yaml: error: the file has 16777217 bytes; at most 16777216 are read"
        let document = YAMLParser.parse(bytes: bytes, path: "file.yaml")
        #expect(document.diagnostics.all.map(\.rendered) == [message])
        let source = SourceFile(path: "file.yaml", text: String(repeating: "#", count: bytes.count))
        #expect(YAMLParser.parse(source).diagnostics.all.map(\.rendered) == [message])
    }

    @Test func aFileOfTheLargestSizeIsRead() {
        let text = String(repeating: "#", count: DocumentLimits.maximumBytes - 5) + "\na: 1"
        #expect(YAMLParser.parse(SourceFile(path: "file.yaml", text: text)).root?.summary == "{a: 1}")
    }

    @Test func manyProblemsAreCutShort() {
        let text = String(repeating: "a: 1\n", count: 1000)
        let all = YAMLParser.parse(SourceFile(path: "file.yaml", text: text)).diagnostics.all
        #expect(all.count == DocumentLimits.maximumDiagnostics + 1)
        #expect(all.last?.rendered == "file.yaml: error: more than 100 errors; the others are not shown")
    }

    private static let sample = """
        \u{FEFF}scenario: "Rooted\\u00e9 devices — stay\\n"   # é
        description: |
          Free 'text'.
        tags: [policy, {a: 'x''y'}]
        anchors: &x !!str "a"
        alias: *x
        ? [key]
        : - >
            folded
        --- second
        ...
        """

    @Test(arguments: ["\n", "\r\n"]) func cuttingADocumentAnywhereNeverTraps(lineBreak: String) {
        let whole = Self.sample.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineBreak)
        let bytes = Array(whole.utf8)
        for length in 0...bytes.count {
            let document = YAMLParser.parse(bytes: Array(bytes[..<length]), path: "file.yaml")
            for diagnostic in document.diagnostics.all { #expect(!diagnostic.rendered.isEmpty) }
        }
    }

    @Test func changingAnyByteNeverTraps() {
        let bytes = Array(Self.sample.utf8)
        for index in bytes.indices {
            for replacement: UInt8 in [0x00, 0x09, 0x0A, 0x22, 0x26, 0x2A, 0x3A, 0x5B, 0x7B, 0x80, 0xC2, 0xFF] {
                var changed = bytes
                changed[index] = replacement
                let document = YAMLParser.parse(bytes: changed, path: "file.yaml")
                #expect(document.root == nil || document.diagnostics.all.allSatisfy { $0.position != nil })
            }
        }
    }
}
