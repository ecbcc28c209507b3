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
        #expect(MarkedText.found(try readRule(marked).diagnostics) == marked.expected(problems))
        #expect(MarkedText.found(try readRule(MarkedText("id: 1\neffect: a\npolicy: b\n")).diagnostics) == [])
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

/// The texts that may be quoted of a file that somebody gave, perhaps by mistake.
@Suite struct DocumentKindTests {
    private static let kind = DocumentKind(
        name: "an account", keys: ["account", "policy"])

    static let secrets = [
        "account-secret: x\n", "  account-secret: x", "a: 1\naccount-secret: x\n", "a: 1\raccount-secret: x\r",
        "account-secret", "{\"account-secret\": 1}", "- 'key-set': []\n", "\u{FEFF}account-secret: x\n", "? key-set\n",
        "account-secret# x\n", "account-secret[0]\n", "account-secret,x\n",
    ]

    @Test("a file of secrets is refused without a word of it", arguments: secrets) func refuses(text: String) throws {
        let refusal = try #require(Self.kind.refusal(of: Array(text.utf8), path: "a.yaml"))
        #expect(
            refusal.rendered == """
                a.yaml: error: this is a key file
                  hint: give the account that names it
                """)
    }

    @Test(
        "other files are not",
        arguments: [
            "", "account: x\n", "# account-secret: x\n", "a: account-secret\n", "account-secrets: x\n",
            "x-account-secret: 1\n",
        ])
    func accepts(text: String) {
        #expect(Self.kind.refusal(of: Array(text.utf8), path: "a.yaml") == nil)
    }

    @Test(
        "a capture is refused as one",
        arguments: [
            "--- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 08:00:31 BST ---\nip: 1.2.3.4\n",
            "getting new devices\r\n\r\n--- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 08:00:31 BST ---\r\n",
            "{\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"h4gubfCFzJu81j/U2BJsdg==\"}\n",
        ])
    func refusesCaptures(text: String) throws {
        let refusal = try #require(Self.kind.refusal(of: Array(text.utf8), path: "day.txt"))
        #expect(
            refusal.rendered == """
                day.txt: error: this is a capture, not an account
                  hint: captures are for replay, diff and explain
                """)
    }

    @Test(
        "what only looks a little like a capture is not",
        arguments: [
            "---\naccount: a\n", "--- # an account\naccount: a\n", "{\"account\": \"a\"}\n", "getting nothing\n",
            "{\"scenario\": \"s\", \"devices\": {\"a\": {\"attributes\": {\"device-id\": \"x\"}}}}\n",
        ])
    func acceptsOthers(text: String) {
        #expect(Self.kind.refusal(of: Array(text.utf8), path: "a.yaml") == nil)
    }

    static let quotable = [
        "", "\n\n", "# only\n", "account: a\n", "acount: a\n", "x: 1\npolicy: y\n", ":x\n", "account: kty\n",
        "account: PRIVATE KE\n",
    ]

    @Test("what looks like an account may be quoted, and so may what has no lines", arguments: quotable)
    func quotes(text: String) {
        #expect(Self.kind.mayQuote(Array(text.utf8)))
    }

    @Test(
        "what looks like something else may not, nor what holds a key of cryptography",
        arguments: [
            "root:x:0:0\n", "kt", "k", "secret stuff\n", "root:\n:x\n", "account: a\n-----BEGIN PRIVATE KEY-----\n",
            "account: kty:",
            "kty: oct\naccount: a\n", "account: {\"kty\": 1}\n", "PRIVATE KEY",
        ])
    func hides(text: String) {
        #expect(!Self.kind.mayQuote(Array(text.utf8)))
    }
}
