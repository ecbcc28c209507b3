import Testing

@testable import Accounts
@testable import TestSupport

/// The schema of accounts and of key files, as a validator reads it.
@Suite struct AccountSchemaTests {
    private static let refused =
        AccountErrorTests.document + AccountErrorTests.policies + AccountErrorTests.flags + AccountErrorTests.settings
        + AccountErrorTests.filters + AccountErrorTests.devices + AccountErrorTests.services

    /// What a schema cannot say, of all documents that the loader refuses.
    static let beyond: Set<String> = [
        "bad regex", "bad regex beyond ASCII", "certificate twice", "conjunction of a conjunction",
        "conjunction of itself", "device twice", "domain twice", "filter twice", "flag to add and to remove",
        "flag twice", "misspelling that is read", "propagation of days", "two teams", "unknown rules",
    ]

    @Test func accountsThatAreRefusedAreRefusedByTheSchema() throws {
        let problems = try SchemaCheck.problems(
            in: Self.refused.map { MarkedText($0.text).text }, by: AccountSchema.document)
        let accepted = zip(Self.refused, problems).filter { $0.1 == nil }.map(\.0.testDescription)
        #expect(Set(accepted) == Self.beyond)
        #expect(Self.refused.count > 100 && accepted.count * 8 <= Self.refused.count)
    }

    @Test func accountsThatAreTakenAreTakenByTheSchema() throws {
        let texts = [AccountKeyTests.everything] + AccountWarningTests.rows.map { MarkedText($0.text).text }
        #expect(try SchemaCheck.problems(in: texts, by: AccountSchema.document) == texts.map { _ in nil })
    }

    @Test func keyFilesThatAreRefusedAreRefusedByTheSchema() throws {
        let problems = try SchemaCheck.problems(in: KeyFileTests.texts, by: KeyFileSchema.document)
        #expect(problems.allSatisfy { $0 != nil })
    }
}
