import Testing

@testable import Documents
@testable import TestSupport

@Suite struct YAMLParserTests {
    private static let files = CaseFile.all(in: "Tables/trees", ending: ".yaml")

    @Test(arguments: files) func readsTheTree(_ file: CaseFile) throws {
        try file.expectActual { example in
            TextCase.text(example) { [Self.tree(of: $0.text)] }
        }
    }

    @Test func lineBreaksAndAByteOrderMarkAreNoPartOfIt() {
        expect(Self.tree(of: "\u{FEFF}"), equals: "nothing")
        expect(Self.tree(of: "a: 1\r\nb:\r\n  - x\r\n"), equals: "{a: 1, b: [x]}")
        expect(Self.tree(of: "a: 1\rb: 2\r"), equals: "{a: 1, b: 2}")
    }

    private static func tree(of text: String) -> String {
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: text))
        let fromBytes = YAMLParser.parse(bytes: Array(text.utf8), path: "file.yaml")
        #expect(document.diagnostics.isEmpty && fromBytes.diagnostics.isEmpty)
        expect(fromBytes.root?.summary, equals: document.root?.summary)
        return document.root?.summary.showingControls() ?? "nothing"
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func everyValueKnowsItsPlace(lineBreak: String) {
        let lines = ["①a: ②one", "③b:", "  ④c: ⑤'two'", "  ⑥d: [⑦é, ⑧\"three\"]", "⑨e: \t⑩four"]
        let marked = MarkedText("\u{FEFF}" + lines.joined(separator: lineBreak) + lineBreak)
        let positions = YAMLParser.parse(bytes: Array(marked.text.utf8), path: "file.yaml").root?.positions
        let names: [Character: String] = [
            "①": "a", "②": "one", "③": "b", "④": "c", "⑤": "two", "⑥": "d", "⑦": "é", "⑧": "three", "⑨": "e",
            "⑩": "four",
        ]
        for (marker, name) in names {
            // The mark in front of the first line takes no column.
            let shift = marker == "①" || marker == "②" ? 1 : 0
            let expected = marked.positions[marker].map { SourcePosition(line: $0.line, column: $0.column - shift) }
            expect(positions?[name], equals: expected, "\(name)")
        }
    }

    @Test func aBlockMappingStartsAtItsFirstKey() {
        let root = YAMLParser.parse(SourceFile(path: "file.yaml", text: "# title\n\n  a: 1\n")).root
        expect(root?.position, equals: SourcePosition(line: 3, column: 3))
    }

    // Brackets belong to their contents; a range in block style ends with its last part.
    @Test func rangesEndWhereTheTextDoes() throws {
        let text = "a: {b: 1 }\nc: [ 2 ]\nd: {}\ne:\n  f: 3 # three\n"
        let root = try #require(YAMLParser.parse(SourceFile(path: "file.yaml", text: text)).root)
        guard case .mapping(let entries) = root.content else { throw TestFailure("no mapping") }
        let parts = entries.map { String(decoding: Array(text.utf8)[$0.value.range], as: UTF8.self) }
        expect(parts, equals: ["{b: 1 }", "[ 2 ]", "{}", "f: 3"])
    }

    @Test func theFirstOfEqualKeysIsKept() {
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: "a: 1\nb: 2\na: 3\n"))
        expect(document.root?.summary, equals: "{a: 1, b: 2}")
        #expect(document.diagnostics.hasErrors)
    }
}

extension Node {
    /// The tree on one line: texts in angle brackets unless plain, lists and mappings as in flow style.
    var summary: String {
        switch content {
        case .scalar(let text, let isPlain): isPlain ? text : "<\(text)>"
        case .sequence(let nodes): "[" + nodes.map(\.summary).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key): \($0.value.summary)" }.joined(separator: ", ") + "}"
        }
    }

    /// The positions of all texts and keys, in the order of the document.
    var positions: [String: SourcePosition] {
        switch content {
        case .scalar(let text, _): [text: position]
        case .sequence(let nodes): nodes.map(\.positions).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        case .mapping(let entries):
            entries.reduce(into: [:]) { result, entry in
                result[entry.key] = entry.keyPosition
                result.merge(entry.value.positions) { first, _ in first }
            }
        }
    }
}
