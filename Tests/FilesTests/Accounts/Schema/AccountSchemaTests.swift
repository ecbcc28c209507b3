import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

/// The schema of accounts and of key files, as a validator reads it.
@Suite struct AccountSchemaTests {
    /// A document of `Tests/Files/accounts`, and the messages of its problems.
    private struct Document {
        let text: String
        let errors: [Substring]
        let isTaken: Bool

        // None of these files has a head; the line `---` is above a document that is no mapping.
        init(_ example: CaseFile.Case) {
            let problems = example.body.filter { $0.hasPrefix("! ") }
            let lines = example.body.filter { !$0.hasPrefix("! ") && $0 != "---" }
            text = MarkedText(lines.map { $0 + "\n" }.joined()).text
            errors = problems.compactMap { $0.firstMatch(of: /error: (.*)/)?.output.1 }
            isTaken = errors.isEmpty
        }
    }

    private static let documents = CaseFile.all(in: "Files/accounts", ending: ".yaml").flatMap(\.cases).map(
        Document.init)

    @Test func valuesOfAWrongFormAreRefusedByTheSchema() async throws {
        let refused = Self.documents.filter { $0.errors.contains(where: SchemaCheck.isOfForm) }
        let problems = try await SchemaCheck.problems(in: refused.map(\.text), by: AccountSchema.document)
        for (document, problem) in zip(refused, problems) { #expect(problem != nil, "\(document.text)") }
        #expect(refused.count > 40, "\(refused.count)")
    }

    @Test func accountsThatAreTakenAreTakenByTheSchema() async throws {
        let texts = Self.documents.filter(\.isTaken).map(\.text)
        #expect(texts.count > 15)
        let problems = try await SchemaCheck.problems(in: texts, by: AccountSchema.document)
        for (text, problem) in zip(texts, problems) { #expect(problem == nil, "\(text)") }
    }

    /// Random accounts, which the loader takes.
    @Test func randomAccountsAreTakenByTheSchema() async throws {
        let flags = ["extra-one", "extra-two", "aa-unknown"].map { RandomAccount.Declared(name: $0, isRisk: false) }
        let texts = (UInt64(1)...60).map { seed in
            var random = RandomAccount(seed: seed, flags: Array(flags.prefix(Int(seed % 4))))
            return random.text()
        }
        let taken = texts.filter { text in
            var diagnostics = Diagnostics()
            let account = AccountLoader.load(
                YAMLParser.parse(SourceFile(path: "a", text: text)), diagnostics: &diagnostics)
            return account != nil
        }
        #expect(taken.count > 30)
        let problems = try await SchemaCheck.problems(in: taken, by: AccountSchema.document)
        for (text, problem) in zip(taken, problems) { #expect(problem == nil, "\(text)") }
    }

    /// Regular expressions that look like mistakes and are none.
    @Test(arguments: ["a(b)", "a[(]b", #"a\(b"#, #"\Q(\E"#, "[[]", "(?x)a#(", "(a)(b", "]"])
    func regexesThatAreTakenAreTakenByTheSchema(_ regex: String) async throws {
        let text = "filters: [{name: a, key: ip, regex: '\(regex)'}]\n"
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(SourceFile(path: "a", text: text))
        guard AccountLoader.load(document, diagnostics: &diagnostics) != nil else { return }
        try await expect(SchemaCheck.problems(in: [text], by: AccountSchema.document), equals: [nil])
    }

    @Test func keyFilesThatAreRefusedAreRefusedByTheSchema() async throws {
        let problems = try await SchemaCheck.problems(in: KeyFileTests.texts, by: KeyFileSchema.document)
        #expect(problems.allSatisfy { $0 != nil })
    }
}
