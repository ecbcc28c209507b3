import Documents
import Testing

@testable import TestSupport

@Suite struct YAMLParserErrorTests {
    private static let syntax = CaseFile.all(in: "Files/yaml", ending: "syntax.yaml").flatMap(\.cases)

    @Test func thereIsNoTreeOfBrokenText() {
        for example in Self.syntax {
            let lines = example.body.dropFirst().filter { !$0.hasPrefix("! ") }
            let text = MarkedText(lines.map { $0 + "\n" }.joined())
            #expect(YAMLParser.parse(text.source).root == nil, "\(example.name)")
        }
        #expect(Self.syntax.count > 20)
    }

    @Test func aControlCharacterIsReportedWhereItStands() {
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: "é: x\u{1B}[2J\n"))
        expect(MarkedText.found(document.diagnostics), equals: ["1:5: control characters are not allowed"])
        #expect(document.root == nil && document.diagnostics.hasErrors)
    }

    @Test(arguments: ["①", "\u{FEFF}①", "a: é\r\nb: x①", "\u{FEFF}a: é\rb: x①"])
    func invalidUTF8IsReportedWhereItStands(before: String) {
        let marked = MarkedText(before)
        let document = YAMLParser.parse(bytes: Array(marked.text.utf8) + [0xFF, 0x0A], path: "file.yaml")
        let column =
            before.hasPrefix("\u{FEFF}") && marked.positions["①"]?.line == 1 ? 1 : marked.positions["①"]?.column
        #expect(document.root == nil)
        expect(document.diagnostics.all.map(\.message), equals: ["the file is not valid UTF-8"])
        expect(document.diagnostics.all.first?.hint, equals: "save the file as UTF-8")
        expect(document.diagnostics.all.first?.position?.line, equals: marked.positions["①"]?.line)
        expect(document.diagnostics.all.first?.position?.column, equals: column)
    }

    @Test func aCharacterCutInHalfIsInvalid() {
        let document = YAMLParser.parse(bytes: Array("a: é".utf8.dropLast()), path: "file.yaml")
        expect(
            MarkedText.found(document.diagnostics),
            equals: ["1:4: the file is not valid UTF-8; hint: save the file as UTF-8"])
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
            expect(
                MarkedText.found(document.diagnostics),
                equals: [
                    "1:\(column): nesting is deeper than 64 levels; hint: is a bracket left open?"
                ])
        }
    }

    @Test(arguments: rows) func millionsOfLevelsAreRefusedAtOnce(_ row: Row) {
        let text = String(repeating: row.opening, count: 4_000_000 / row.opening.count)
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: text))
        #expect(document.root == nil)
        expect(document.diagnostics.all.map(\.message), equals: ["nesting is deeper than 64 levels"])
    }

    @Test func fourMillionBracketsAreRefusedAtOnce() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 4_000_000)
        let document = YAMLParser.parse(bytes: bytes, path: "file.yaml")
        expect(
            MarkedText.found(document.diagnostics),
            equals: [
                "1:65: nesting is deeper than 64 levels; hint: is a bracket left open?"
            ])
        #expect(document.diagnostics.all.first?.rendered.count ?? .max < 500)
    }

    @Test func aFileThatIsTooLargeIsNotRead() {
        let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: DocumentLimits.maximumBytes + 1)
        let message = "file.yaml: error: the file has 16777217 bytes; at most 16777216 are read"
        let document = YAMLParser.parse(bytes: bytes, path: "file.yaml")
        expect(document.diagnostics.all.map(\.rendered), equals: [message])
        let source = SourceFile(path: "file.yaml", text: String(repeating: "#", count: bytes.count))
        expect(YAMLParser.parse(source).diagnostics.all.map(\.rendered), equals: [message])
    }

    @Test func aFileOfTheLargestSizeIsRead() {
        let text = String(repeating: "#", count: DocumentLimits.maximumBytes - 5) + "\na: 1"
        expect(YAMLParser.parse(SourceFile(path: "file.yaml", text: text)).root?.summary, equals: "{a: 1}")
    }

    @Test func manyProblemsAreCutShort() {
        let text = String(repeating: "a: 1\n", count: 1000)
        let all = YAMLParser.parse(SourceFile(path: "file.yaml", text: text)).diagnostics.all
        expect(all.count, equals: DocumentLimits.maximumDiagnostics + 1)
        expect(all.last?.rendered, equals: "file.yaml: error: more than 100 errors; the others are not shown")
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
