import Documents
import Testing

@testable import TestSupport

@Suite struct DocumentMappingTests {
    /// Reads a rule: `id` is required, `effect`, `policy` and `probe-url` may be there.
    private func readRule(_ marked: MarkedText) throws -> (mapping: DocumentMapping, diagnostics: Diagnostics) {
        let document = YAMLParser.parse(marked.source)
        var reader = DocumentReader(document)
        let root = try #require(document.root)
        let rule = reader.mapping(root, "a rule")
        var mapping = try #require(rule)
        _ = mapping.require("id", &reader)
        _ = mapping.take("effect")
        mapping.allow(["policy", "probe-url"])
        mapping.finish(&reader)
        return (mapping, reader.diagnostics)
    }

    struct Row: LabelledRow {
        let name, text: String
        let problems: [Problem]
    }

    static let rows = [
        Row(name: "all known", text: "id: 1\neffect: deny\npolicy: default\n", problems: []),
        Row(
            name: "unknown key with a suggestion", text: "id: 1\n①efect: deny\n",
            problems: [Problem("①", "unknown key `efect` in a rule", hint: "did you mean `effect`?")]),
        Row(
            name: "a key that was only allowed is suggested", text: "{id: 1, ①probe_url: x}",
            problems: [Problem("①", "unknown key `probe_url` in a rule", hint: "did you mean `probe-url`?")]),
        Row(
            name: "case matters", text: "id: 1\n①Policy: default\n",
            problems: [Problem("①", "unknown key `Policy` in a rule", hint: "did you mean `policy`?")]),
        Row(
            name: "unknown key without a suggestion", text: "id: 1\n①colour: blue\n",
            problems: [Problem("①", "unknown key `colour` in a rule")]),
        Row(name: "missing key", text: "  ①effect: deny\n", problems: [Problem("①", "`id` is missing from a rule")]),
        Row(
            name: "missing from an empty mapping", text: "①{}", problems: [Problem("①", "`id` is missing from a rule")]),
        Row(
            name: "a misspelt required key", text: "①idd: 1\n",
            problems: [
                Problem("①", "`id` is missing from a rule"),
                Problem("①", "unknown key `idd` in a rule", hint: "did you mean `id`?"),
            ]),
        Row(
            name: "many at once, CR LF", text: "id: 1\r\n①polcy: x\r\n②x: y\r\n",
            problems: [
                Problem("①", "unknown key `polcy` in a rule", hint: "did you mean `policy`?"),
                Problem("②", "unknown key `x` in a rule"),
            ]),
        Row(
            name: "twice and unknown", text: "id: 1\n①efect: a\n②efect: b\n",
            problems: [
                Problem("①", "unknown key `efect` in a rule", hint: "did you mean `effect`?"),
                Problem("②", "key `efect` is already given in line 2"),
            ]),
    ]

    @Test(arguments: rows) func isReadStrictly(_ row: Row) throws {
        let marked = MarkedText(row.text)
        let diagnostics = try readRule(marked).diagnostics
        #expect(MarkedText.found(diagnostics) == marked.expected(row.problems))
    }

    @Test func aMisspeltKeyIsShown() throws {
        let rendered = try readRule(MarkedText("id: block\nefect: deny\n")).diagnostics.all.map(\.rendered)
        #expect(
            rendered == [
                """
                file.yaml:2:1: error: unknown key `efect` in a rule
                  efect: deny
                  ^
                  hint: did you mean `effect`?
                """
            ])
    }

    @Test func givesValuesAndPlaces() throws {
        let marked = MarkedText("①id: 1\n②effect: deny\n")
        var mapping = try readRule(marked).mapping
        let (effect, policy) = (mapping.take("effect"), mapping.take("policy"))
        #expect(effect?.summary == "deny")
        #expect(policy == nil)
        #expect(mapping.keyPosition(of: "id") == marked.positions["①"])
        #expect(mapping.keyPosition(of: "effect") == marked.positions["②"])
        #expect(mapping.keyPosition(of: "policy") == nil)
        #expect(mapping.position == marked.positions["①"])
        #expect(mapping.entries.map(\.key) == ["id", "effect"])
    }

    @Test func onlyMappingsAreTakenApart() throws {
        let root = try #require(YAMLParser.parse(SourceFile(path: "file.yaml", text: "[a]")).root)
        #expect(DocumentMapping(root, "a rule")?.entries.count == nil)
    }
}
