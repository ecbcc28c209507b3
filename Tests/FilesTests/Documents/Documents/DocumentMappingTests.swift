import Testing

@testable import Documents
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

    // `Tests/Files/accounts/values.yaml` says what is refused, and what helps.
    @Test func manyMistakesAreToldAtOnce() throws {
        let marked = MarkedText("  ①effect: deny\r\n  ②polcy: x\r\n  ③colour: y\r\n")
        let problems: [Problem] = [
            "① `id` is missing from a rule", "② unknown key `polcy` in a rule; hint: did you mean `policy`?",
            "③ unknown key `colour` in a rule",
        ]
        expect(MarkedText.found(try readRule(marked).diagnostics), equals: marked.expected(problems))
        expect(MarkedText.found(try readRule(MarkedText("id: 1\neffect: a\npolicy: b\n")).diagnostics), equals: [])
    }

    @Test func givesValuesAndPlaces() throws {
        let marked = MarkedText("①id: 1\n②effect: deny\n")
        var mapping = try readRule(marked).mapping
        let (effect, policy) = (mapping.take("effect"), mapping.take("policy"))
        expect(effect?.summary, equals: "deny")
        #expect(policy == nil)
        expect(mapping.keyPosition(of: "id"), equals: marked.positions["①"])
        expect(mapping.keyPosition(of: "effect"), equals: marked.positions["②"])
        #expect(mapping.keyPosition(of: "policy") == nil)
        expect(mapping.position, equals: marked.positions["①"])
        expect(mapping.entries.map(\.key), equals: ["id", "effect"])
    }

    @Test func onlyMappingsAreTakenApart() throws {
        let root = try #require(YAMLParser.parse(SourceFile(path: "file.yaml", text: "[a]")).root)
        #expect(DocumentMapping(root, "a rule")?.entries.count == nil)
    }
}

/// The texts that may be quoted of a file that somebody gave, perhaps by mistake.
@Suite struct DocumentKindTests {
    private static let kind = DocumentKind(
        name: "an account", keys: ["account", "policy"])

    // `Tests/Transcripts/management/other-files.txt` has the files that a transcript can hold.
    @Test(
        "a file of secrets is refused without a word of it",
        arguments: ["a: 1\raccount-secret: x\r", "\u{FEFF}account-secret: x\n"])
    func refuses(text: String) throws {
        let refusal = try #require(Self.kind.refusal(of: Array(text.utf8), path: "a.yaml"))
        expect(refusal.rendered, equals: "a.yaml: error: this is a key file\n  hint: give the account that names it")
    }

    @Test(
        "what is empty or an account may be quoted", arguments: ["", "\n\n", "account: kty\n", "account: PRIVATE KE\n"])
    func quotes(text: String) {
        #expect(Self.kind.refusal(of: Array(text.utf8), path: "a.yaml") == nil)
        #expect(Self.kind.mayQuote(Array(text.utf8)))
    }
}
