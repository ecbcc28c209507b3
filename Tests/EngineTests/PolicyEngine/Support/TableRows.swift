@testable import TestSupport

/// Rows of a table that several tests use: a case of `Tests/Tables/rules/rows.txt`.
enum TableRows {
    private static let path = "Tests/Tables/rules/rows.txt"
    private static let cases = CaseFile(path: path, text: (try? Repository.text(of: path)) ?? "").cases

    /// The lines of the case with a name.
    static func of(_ name: String) -> [String] { cases.first { $0.name == name }?.body ?? [] }
}
