import Testing

@testable import TestSupport

/// The cases that are documents: scenarios by rule, and files with mistakes.
@Suite struct DocumentCaseTests {
    private static let rules = CaseFile.all(in: "Rules", ending: ".yaml")
    private static let scenarios = CaseFile.all(in: "Files/scenarios", ending: ".yaml")
    private static let accounts = CaseFile.all(in: "Files/accounts", ending: ".yaml")
    private static let documents = CaseFile.all(in: "Files/yaml", ending: ".yaml")

    @Test(arguments: rules + scenarios) func scenariosHaveTheirResults(_ file: CaseFile) throws {
        try file.expectActual { try DocumentCase($0, .scenario).rewritten() }
    }

    @Test(arguments: accounts) func accountsHaveTheirProblems(_ file: CaseFile) throws {
        try file.expectActual { try DocumentCase($0, .account).rewritten() }
    }

    @Test(arguments: documents) func documentsHaveTheirProblems(_ file: CaseFile) throws {
        try file.expectActual { try DocumentCase($0, .yaml).rewritten() }
    }
}
