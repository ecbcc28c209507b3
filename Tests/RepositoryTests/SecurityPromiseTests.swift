import Testing

@testable import TestSupport

/// The promises of `SECURITY.md`, each of which a test holds.
@Suite struct SecurityPromiseTests {
    @Test func everyPromiseNamesATestThatIsThere() throws {
        let lines = try Repository.text(of: "SECURITY.md").split(separator: "\n")
        // The head of a table is before a line of dashes.
        let rows = zip(lines, lines.dropFirst() + [""]).filter { $0.hasPrefix("| ") && !$1.hasPrefix("| ---") }.map(\.0)
            .filter { !$0.hasPrefix("| ---") }
        #expect(rows.count >= 15)
        let files = try Repository.files(in: ["Tests"], endings: [".swift"])
        let suites = try files.reduce(into: Set<String>()) { suites, file in
            for match in try Repository.text(of: file).matches(of: /struct (\w+Tests)\b/) {
                suites.insert(String(match.1))
            }
        }
        let targets = try Repository.text(of: "Makefile").matches(of: /(?m)^([\w-]+):/).map { "make \($0.1)" }
        for row in rows {
            let named = row.split(separator: "|").last.map { $0.matches(of: /`([^`]+)`/).map { String($0.1) } } ?? []
            #expect(!named.isEmpty, "\(row)")
            for name in named { #expect(suites.contains(name) || targets.contains(name), "\(name)") }
        }
    }
}
