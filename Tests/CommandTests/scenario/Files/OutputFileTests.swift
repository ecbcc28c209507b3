import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Outputs of reports and decisions: files and standard output.
@Suite struct OutputFileTests {
    @Test(arguments: ["text", "json"]) func aReportInAFileIsTheReport(form: String) throws {
        for arguments in [["run", "@fails.yaml"], ["replay", "@day.jsonl"]] {
            let folder = try TemporaryFolder(Sample.files)
            let printed = ToolRun(arguments + ["--format", form], in: folder)
            let written = ToolRun(arguments + ["--format", form, "--output", "@report"], in: folder)
            expect(written.status, equals: printed.status)
            expect(written.output, equals: "")
            expect(folder["report"]?.replacing(folder.path + "/", with: ""), equals: printed.output)
            #expect(!folder.names.contains { $0.hasSuffix(".partial") })
            expect(ToolRun(arguments + ["--format", form, "--output", "-"], in: folder).output, equals: printed.output)
        }
    }
}

/// Names that are not UTF-8: no file of another name is read or written.
@Suite struct OutputNameTests {
    // A shell that gives a name of the bytes `a`, 255 and `b`, which is standard input of `$0`.
    private static func run(_ script: String, in folder: TemporaryFolder) throws -> (status: Int32, error: String) {
        try ToolProcess(
            [], in: folder, by: ["/bin/sh", "-c", "name=$(printf 'a\\377b'); " + script], output: "/dev/null"
        )
        .end()
    }

    // The names as the shell shows them, a byte above 127 by its number.
    private static func names(in folder: TemporaryFolder) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/ls")
        process.arguments = ["-b", folder.path]
        process.environment = ["LC_ALL": "C"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static let files = [
        "s.yaml": "scenario: s\ndevices: {d: {os: ios}}\nsteps: [{at: 0s, fetch: d, expect: {verdict: pass}}]\n"
    ]

    static let refused = [
        #""$0" run s.yaml --output "$name""#, #""$0" run s.yaml "--output=$name""#, #""$0" run "$name""#,
        #""$0" generate s.yaml --output "$name""#,
    ]

    @Test(arguments: refused) func aWordThatIsNotUTF8IsRefused(script: String) throws {
        let folder = try TemporaryFolder(Self.files)
        let end = try Self.run(script, in: folder)
        expect(end.status, equals: scenario.ExitStatus.usage.rawValue)
        #expect(end.error.contains("of the command line is not UTF-8: "))
        try expect(Self.names(in: folder), equals: ["s.yaml"])
    }

    @Test func aLinkToSuchANameStaysALink() throws {
        let folder = try TemporaryFolder(Self.files)
        let end = try Self.run(#"ln -s "$name" link && "$0" run s.yaml --output link"#, in: folder)
        expect(end.status, equals: scenario.ExitStatus.invalidInput.rawValue)
        #expect(end.error.contains("link: error: it is a link that cannot be followed"))
        try expect(Self.names(in: folder), equals: ["link", "s.yaml"])
    }

    @Test func aFileWithSuchANameIsNotReplacedThroughItsLink() throws {
        let folder = try TemporaryFolder(Self.files)
        let end = try Self.run(
            #"echo old > "$name" && ln -s "$name" link && "$0" run s.yaml --output link"#, in: folder)
        expect(end.status, equals: scenario.ExitStatus.invalidInput.rawValue)
        expect(folder["link"], equals: "old\n")
        try expect(Self.names(in: folder), equals: [#"a\377b"#, "link", "s.yaml"])
    }

    // A folder of such a name is where the file is meant to be.
    @Test func insideAFolderOfSuchANameFilesAreWritten() throws {
        let folder = try TemporaryFolder(Self.files)
        let end = try Self.run(#"mkdir "$name" && cd "$name" && "$0" run ../s.yaml --output out"#, in: folder)
        expect(end.status, equals: scenario.ExitStatus.success.rawValue, "\(end.error)")
        try expect(Self.names(in: folder), equals: [#"a\377b"#, "s.yaml"])
        let moved = try Self.run(#"mv "$name/out" out"#, in: folder)
        #expect(moved.status == 0 && folder["out"]?.isEmpty == false)
    }

    private static let failing = files.mapValues { $0.replacing("pass", with: "fail") }

    @Test func noFolderOfAnotherNameIsMade() throws {
        let folder = try TemporaryFolder(Self.failing)
        let end = try Self.run(#"XDG_STATE_HOME="$PWD/$name" HOME="$PWD/$name" "$0" run s.yaml"#, in: folder)
        expect(end.status, equals: scenario.ExitStatus.expectationFailed.rawValue)
        try expect(Self.names(in: folder), equals: ["s.yaml"])
    }

    // A path with more folders than a stack has room for calls.
    @Test func aFolderWithAVeryLongPathIsNotMade() throws {
        let folder = try TemporaryFolder(Self.failing)
        let end = try Self.run(
            #"XDG_STATE_HOME="$PWD/$(printf '%060000d' 0 | sed 's|0|a/|g')" "$0" run s.yaml"#, in: folder)
        expect(end.status, equals: scenario.ExitStatus.expectationFailed.rawValue, "\(end.error)")
        try expect(Self.names(in: folder), equals: ["s.yaml"])
    }
}
