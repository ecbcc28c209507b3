import Testing

@testable import Documents
@testable import TestSupport

/// Texts are written so that they are read back as they are, inside and outside of brackets.
@Suite struct ScalarTextTests {
    static let texts = [
        "", " ", "a", "a b", " a", "a ", "a: b", "a:b", "a #b", "#a", "- a", "-", "---", "...", "? a", "[a", "{a", "a]",
        "a,b",
        "'a'", "it's", "\"a\"", "a\\b", #"^1\.2\"x"#, "*a", "&a", "!a", "%a", "@a", "`a", "|", ">", "~", "null", "on",
        "12",
        "1.5", "a\tb", "a\nb", "a\r\nb", "\u{0}", "\u{7}", "\u{85}", "\u{2028}", "\u{FEFF}a", "ä", "🚗", "e\u{301}",
        "\u{E000}",
        "++FilteredSecPolicy++w==", "/a", "=", "<<", "a=b", "https://a.b:443", "\u{A0}a", "a\u{A0}",
        "\u{1F468}\u{200D}\u{1F469}",
    ]

    @Test(arguments: texts, [nil, ScalarText.Quotes.single, .double]) func isReadBack(
        _ text: String, _ quotes: ScalarText.Quotes?
    ) throws {
        let block = "key: \(ScalarText.write(text, quotes: quotes, isInFlow: false)) # comment\nother: x\n"
        let flow = "{key: [\(ScalarText.write(text, quotes: quotes, isInFlow: true)), x]} # comment\n"
        try expect(Self.values(block).first.map { Array($0.unicodeScalars) }, equals: Array(text.unicodeScalars))
        try expect(Self.values(flow).first.map { Array($0.unicodeScalars) }, equals: Array(text.unicodeScalars))
    }

    // The value of `key`: a text, or the texts of a list.
    private static func values(_ yaml: String) throws -> [String] {
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: yaml))
        let root = try #require(document.root, "\(document.diagnostics.all.map(\.rendered)) in \(yaml)")
        guard case .mapping(let entries) = root.content, let value = entries.first?.value else { return [] }
        switch value.content {
        case .scalar(let text, _): return [text]
        case .sequence(let nodes): return nodes.map { if case .scalar(let text, _) = $0.content { text } else { "" } }
        case .mapping: return []
        }
    }
}
