import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Reports as a whole, against files that were worked out and reviewed.
///
/// With `RECORD_GOLDEN=1` in the environment the files are written anew, and the run fails all the same.
@Suite struct GoldenTests {
    @Test(arguments: GoldenCase.all.flatMap { golden in golden.forms.map { (golden, $0) } })
    func theReportIsTheGoldenOne(_ golden: GoldenCase, form: String) throws {
        if GoldenCase.isRecording {
            try golden.record(form)
            Issue.record(
                "recorded the \(form) report of \(golden.name); look at it, then run again without RECORD_GOLDEN")
        }
        #expect(try golden.report(form) == golden.expected(form))
    }
}

/// A folder with the arguments of a command line, its input, and the reports that it must write.
///
/// `arguments` has one argument a line, with `@` before the names of files in the folder; `expected.txt` and
/// `expected.json` are the reports, or one of them, the exit status in front of the first.
struct GoldenCase: LabelledRow {
    let name: String

    /// True if the environment asks for golden files to be written anew.
    static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

    /// The folder of the tests of the command.
    static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = tests.appending(path: "Golden")

    /// Every case, sorted by name.
    static let all = names.map(GoldenCase.init).rows(atLeast: 5)

    private static var names: [String] {
        let path = folder.path(percentEncoded: false)
        return (try? FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()) ?? []
    }

    /// The forms of which there is a report.
    var forms: [String] { ["text", "json"].filter { (try? expected($0)) != nil } }

    private func file(_ file: String) -> URL { Self.folder.appending(path: "\(name)/\(file)") }

    /// The text of one of its files.
    func read(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }

    /// Runs the command in a folder of its own and gives its report, the status in front.
    ///
    /// - Parameter form: `text` or `json`.
    func report(_ form: String) throws -> String {
        let arguments = try read("arguments").split(separator: "\n").map(String.init)
        let folder = try TemporaryFolder()
        for argument in arguments where argument.hasPrefix("@") {
            let file = String(argument.dropFirst())
            try folder.write(read(file), to: file)
        }
        let run = ToolRun(arguments + ["--format", form], in: folder)
        return form == "json" ? run.output : "exit status \(run.status.rawValue)\n\n\(run.error)\(run.output)"
    }

    /// The expected report.
    ///
    /// - Parameter form: `text` or `json`.
    func expected(_ form: String) throws -> String { try read(Self.file(form)) }

    /// Writes the report as what it must be.
    func record(_ form: String) throws {
        try Data(report(form).utf8).write(to: file(Self.file(form)))
    }

    private static func file(_ form: String) -> String { form == "json" ? "expected.json" : "expected.txt" }
}
