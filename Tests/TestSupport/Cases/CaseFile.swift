import Foundation
import Testing

/// A file of test cases that are data: `Tests/Rules`, `Tests/Files` and `Tests/Transcripts` hold them.
///
/// A line `== NAME` begins a case; the lines above the first one are the head, which all cases share. A case contains what is
/// given and what is expected. Whoever runs it writes it anew with the actual results, and both texts must be the same.
struct CaseFile: Sendable, CustomTestStringConvertible {
    /// One case.
    struct Case: Sendable {
        let name: String
        /// The number of its line `== NAME`, from 1.
        let line: Int
        /// The lines of the head of the file.
        let head: [String]
        /// The lines below its name, without empty ones at the end.
        let body: [String]
    }

    /// The path, seen from the root of the package.
    let path: String
    private let head: [String]
    let cases: [Case]

    var testDescription: String { path }

    /// Reads a file.
    init(path: String, text: String) {
        self.path = path
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let starts = lines.indices.filter { lines[$0].hasPrefix("== ") } + [lines.count]
        let head = Self.trimmed(lines[..<(starts.first ?? 0)])
        self.head = head
        cases = zip(starts, starts.dropFirst()).map { start, end in
            Case(
                name: String(lines[start].dropFirst(3)), line: start + 1, head: head,
                body: Self.trimmed(lines[(start + 1)..<end]))
        }
    }

    /// The files of a folder of `Tests`, those in its folders, too; with a `FILTER` in the environment that contains `/` those, and
    /// of them the cases, whose path and name that pattern matches.
    static func all(in folder: String, ending: String) -> [CaseFile] {
        let paths = (try? Repository.files(in: ["Tests/\(folder)"], endings: [ending])) ?? []
        return paths.compactMap { path in
            let file = CaseFile(path: path, text: (try? Repository.text(of: path)) ?? "")
            return chosen.isEmpty || file.cases.contains(where: file.isChosen) ? file : nil
        }
    }

    /// Expects that each case says what is actually so; with `UPDATE=1` in the environment writes the file anew instead.
    ///
    /// - Parameter rewriting: Gives the lines of a case with the actual results.
    func expectActual(_ rewriting: (Case) throws -> [String]) throws {
        try #require(!cases.isEmpty, "\(path) has no case: `== NAME` begins one")
        var text = head
        for example in cases {
            let actual = isChosen(example) ? result(of: example, rewriting) : example.body
            if !text.isEmpty { text.append("") }
            text += ["== \(example.name)"] + actual
            if actual != example.body, !Self.isUpdating { report(example, actual) }
        }
        if Self.isUpdating {
            try Data((text.joined(separator: "\n") + "\n").utf8).write(to: Repository.root.appending(path: path))
        }
    }

    private func result(of example: Case, _ rewriting: (Case) throws -> [String]) -> [String] {
        do {
            return Self.trimmed(try rewriting(example)[...])
        } catch {
            record(example, "\(error)")
            return example.body
        }
    }

    private func report(_ example: Case, _ actual: [String]) {
        let difference = LineDifference(example.body, actual).lines(coloured: Self.isColoured).joined(separator: "\n")
        record(example, difference)
    }

    private func record(_ example: Case, _ text: String) {
        let place = Testing.SourceLocation(
            fileID: "Tests/\(path.split(separator: "/").last ?? "")",
            filePath: Repository.root.appending(path: path).path(percentEncoded: false), line: example.line, column: 1)
        Issue.record(
            """
            \(path):\(example.line): \(example.name)
            \(text)
            make test FILTER='\(path)' runs this file again; UPDATE=1 before it writes the actual results
            """, sourceLocation: place)
    }

    private func isChosen(_ example: Case) -> Bool {
        Self.chosen.isEmpty || "\(path): \(example.name)".range(of: Self.chosen, options: .regularExpression) != nil
    }

    // A pattern without `/` is one of suites.
    private static let chosen =
        ProcessInfo.processInfo.environment["FILTER"].flatMap { $0.contains("/") ? $0 : nil } ?? ""
    private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE"] == "1"
    private static let isColoured = ProcessInfo.processInfo.environment["NO_COLOR"] == nil && isatty(STDERR_FILENO) == 1

    private static func trimmed(_ lines: ArraySlice<String>) -> [String] {
        Array(lines.prefix(upTo: (lines.lastIndex { !$0.isEmpty }).map { $0 + 1 } ?? lines.startIndex))
    }
}
