import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

/// The schema of accounts and of key files, as a validator reads it.
@Suite struct AccountSchemaTests {
    private static let refused =
        AccountErrorTests.document + AccountErrorTests.policies + AccountErrorTests.flags + AccountErrorTests.settings
        + AccountErrorTests.filters + AccountErrorTests.devices + AccountErrorTests.services

    @Test func valuesOfAWrongFormAreRefusedByTheSchema() async throws {
        let refused = Self.refused.filter { row in row.problems.contains { SchemaCheck.isOfForm($0.message) } }
        let problems = try await SchemaCheck.problems(
            in: refused.map { MarkedText($0.text).text }, by: AccountSchema.document)
        for (row, problem) in zip(refused, problems) { #expect(problem != nil, "\(row.testDescription)") }
        #expect(refused.count > 40, "\(refused.count)")
    }

    @Test func accountsThatAreTakenAreTakenByTheSchema() async throws {
        let texts = [AccountKeyTests.everything] + AccountWarningTests.rows.map { MarkedText($0.text).text }
        #expect(try await SchemaCheck.problems(in: texts, by: AccountSchema.document) == texts.map { _ in nil })
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
        #expect(try await SchemaCheck.problems(in: [text], by: AccountSchema.document) == [nil])
    }

    @Test func keyFilesThatAreRefusedAreRefusedByTheSchema() async throws {
        let problems = try await SchemaCheck.problems(in: KeyFileTests.texts, by: KeyFileSchema.document)
        #expect(problems.allSatisfy { $0 != nil })
    }
}
