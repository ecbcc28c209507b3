import Testing

@testable import TestSupport

/// The cases that are documents: scenarios by rule, and files with mistakes.
@Suite struct DocumentCaseTests {
    private static let rules = CaseFile.all(in: "Rules", ending: ".yaml")
    private static let scenarios = CaseFile.all(in: "Files/scenarios", ending: ".yaml")
    private static let accounts = CaseFile.all(in: "Files/accounts", ending: ".yaml")
    private static let documents = CaseFile.all(in: "Files/yaml", ending: ".yaml")

    // A file that no driver reads, and a pattern that chooses no case, would pass for nothing.
    @Test func everyFileOfCasesHasADriver() throws {
        let paths = try Repository.files(
            in: ["Tests/Rules", "Tests/Files", "Tests/Transcripts", "Tests/Tables"], endings: [""])
        let read =
            #/Tests/(Rules/R[0-9]{2}|Files/(scenarios|accounts|yaml))/[^/]+\.yaml|Tests/Transcripts/.+\.txt|Tests/Tables/.+/#
        expect(paths.filter { !$0.hasSuffix("/") && $0.wholeMatch(of: read) == nil }, equals: [])
        #expect(paths.contains { $0.hasPrefix("Tests/Rules") } && paths.contains { $0.hasPrefix("Tests/Transcripts") })
        let chosen = ["Rules", "Files", "Transcripts", "Tables"].flatMap { CaseFile.all(in: $0, ending: "") }
        #expect(!chosen.isEmpty, "FILTER chooses no case")
    }

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
