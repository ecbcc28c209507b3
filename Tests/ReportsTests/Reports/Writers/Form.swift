import Testing

@testable import TestSupport

/// The forms of reports as `Tests/Tables/forms/reports.txt` has them.
enum Form {
    private static let path = "Tests/Tables/forms/reports.txt"

    /// Expects that a text is that of a case, but for empty lines at its end.
    static func expect(_ text: String, _ name: String) throws {
        let file = CaseFile(path: path, text: try Repository.text(of: path))
        try #require(file.cases.contains { $0.name == name }, "no case `\(name)`")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        try file.expectActual { $0.name == name ? lines : $0.body }
    }
}
