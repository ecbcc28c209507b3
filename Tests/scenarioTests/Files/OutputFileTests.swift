import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Outputs of reports and decisions: files and standard output.
@Suite struct OutputFileTests {
    struct Row: LabelledRow {
        let name: String
        let arguments: Words
        let status: scenario.ExitStatus
        /// The lines of decisions; `nil` where none may be written.
        let decisions: Int?
    }

    static let rows = [
        Row(name: "a scenario", arguments: "run @good.yaml", status: .success, decisions: 1),
        Row(name: "a failing one", arguments: "run @fails.yaml", status: .expectationFailed, decisions: 1),
        Row(name: "two scenarios", arguments: "run @fails.yaml @good.yaml", status: .expectationFailed, decisions: 2),
        Row(name: "an unchecked expectation", arguments: "run @unchecked.yaml", status: .invalidInput, decisions: nil),
        Row(name: "an invalid one", arguments: "run @bad.yaml", status: .invalidInput, decisions: nil),
        Row(name: "none selected", arguments: "run @good.yaml --tag=x", status: .nothingRan, decisions: nil),
        Row(name: "a capture", arguments: "replay @day.jsonl", status: .success, decisions: 3),
        Row(name: "a sorted one", arguments: "replay @disordered.jsonl --sort", status: .success, decisions: 2),
        Row(name: "a malformed one", arguments: "replay @malformed.jsonl", status: .invalidInput, decisions: nil),
        Row(name: "one out of order", arguments: "replay @disordered.jsonl", status: .invalidInput, decisions: nil),
        Row(name: "an empty one", arguments: "replay @empty.jsonl", status: .invalidInput, decisions: nil),
        Row(
            name: "one with the malformed left out", arguments: "replay @malformed.jsonl --skip-malformed",
            status: .success, decisions: 2),
    ]

    @Test(arguments: rows) func decisionsAreWrittenWholeOrNotAtAll(_ row: Row) throws {
        let folder = try TemporaryFolder(Sample.files)
        let before = folder.names
        let run = ToolRun(row.arguments.list + ["--decisions", "@decisions"], in: folder)
        #expect(run.status == row.status)
        #expect(folder.names == (before + (row.decisions == nil ? [] : ["decisions"])).sorted())
        #expect(folder["decisions"]?.split(separator: "\n").count == row.decisions)
    }

    @Test(arguments: rows) func earlierDecisionsStayUnlessOthersReplaceThem(_ row: Row) throws {
        let folder = try TemporaryFolder(Sample.files)
        try folder.write("earlier\n", to: "decisions")
        _ = ToolRun(row.arguments.list + ["--decisions", "@decisions"], in: folder)
        #expect((folder["decisions"] == "earlier\n") == (row.decisions == nil))
        #expect(!folder.names.contains { $0.hasSuffix(".partial") })
    }

    @Test func decisionsSayWhatWasDecided() throws {
        let folder = try TemporaryFolder(Sample.files)
        let arguments = [
            "replay", "@disordered.jsonl", "--sort", "--decisions", "@d", "--policy", "default,default,risk",
        ]
        #expect(ToolRun(arguments, in: folder).status == .success)
        let amy =
            #"{"index":0,"time":"2020-07-23T11:00:00Z","device":"\#(Sample.amy)","verdict":"pass","#
            + #""policy":"default,default,risk","rejections":[],"flags":["new-did"],"annotations":[],"filters":[],"#
            + #""lifetime":300,"expires":"2020-07-23T11:05:10Z","arc":"NOLOY2TX2C"}"#
        let bob =
            #"{"index":1,"time":"2020-07-23T10:00:00Z","device":"\#(Sample.bob)","verdict":"fail","#
            + #""policy":"default,default,risk","rejections":["rooted"],"flags":["rooted","new-did","risky-device"],"#
            + #""annotations":["risky-device"],"filters":[],"lifetime":120,"expires":"2020-07-23T10:02:10Z","arc":"AJMJD6QOEP"}"#
        #expect(folder["d"] == "\(amy)\n\(bob)\n")
    }

    @Test func decisionsOfScenariosAreNumberedThrough() throws {
        let folder = try TemporaryFolder(Sample.files)
        _ = ToolRun("run @good.yaml @fails.yaml @good.yaml --decisions=@d", in: folder)
        let lines = (folder["d"] ?? "").split(separator: "\n")
        #expect(lines.map { $0.prefix(11) } == ["{\"index\":0,", "{\"index\":1,", "{\"index\":2,"])
    }

    @Test(arguments: ["text", "json"]) func aReportInAFileIsTheReport(form: String) throws {
        for arguments in [["run", "@fails.yaml"], ["replay", "@day.jsonl"]] {
            let folder = try TemporaryFolder(Sample.files)
            let printed = ToolRun(arguments + ["--format", form], in: folder)
            let written = ToolRun(arguments + ["--format", form, "--output", "@report"], in: folder)
            #expect(written.status == printed.status)
            #expect(written.output == "")
            #expect(folder["report"]?.replacing(folder.path + "/", with: "") == printed.output)
            #expect(!folder.names.contains { $0.hasSuffix(".partial") })
            #expect(ToolRun(arguments + ["--format", form, "--output", "-"], in: folder).output == printed.output)
        }
    }

    @Test func anEarlierReportStaysWhenThereIsNone() throws {
        let folder = try TemporaryFolder(Sample.files)
        try folder.write("earlier", to: "report")
        #expect(ToolRun("run @bad.yaml --output @report", in: folder).status == .invalidInput)
        #expect(folder["report"] == "earlier")
    }
}

/// Files that a command would write although it reads them, or writes them already.
@Suite struct FileConflictTests {
    private static func overwriting(_ output: String, _ input: String) -> String {
        "\(output) would overwrite \(input), which is read"
    }

    private static func both(_ output: String, _ other: String) -> String {
        "\(output) and \(other) cannot go to the same file"
    }

    /// Command lines, and the error of each; `nil` if there is none.
    static let inputs: [Case<Words, String?>] = [
        Case("the capture", "replay @day.jsonl --output @day.jsonl", gives: overwriting("`--output`", "`day.jsonl`")),
        Case(
            "a later capture", "replay @day.txt @day.jsonl --decisions @day.jsonl",
            gives: overwriting("`--decisions`", "`day.jsonl`")),
        Case(
            "the capture by a link", "replay @day.jsonl --malformed @link",
            gives: overwriting("`--malformed`", "`day.jsonl`")),
        Case(
            "the capture by another path", "replay @folder/../day.jsonl --malformed @day.jsonl",
            gives: overwriting("`--malformed`", "`folder/../day.jsonl`")),
        Case(
            "the capture by a second name", "replay @day.jsonl --malformed @twin",
            gives: overwriting("`--malformed`", "`day.jsonl`")),
        Case(
            "the account", "replay @day.jsonl --account=@account.yaml --output=@account.yaml",
            gives: overwriting("`--output`", "`--account`")),
        Case(
            "the keys of the account", "replay @day.jsonl --account=@keyed.yaml --decisions=@prod.keys",
            gives: overwriting("`--decisions`", "`prod.keys`")),
        Case(
            "the keys of the candidate", "diff @day.jsonl --candidate=@keyed.yaml --output=@prod.keys",
            gives: overwriting("`--output`", "`prod.keys`")),
        Case(
            "the account of a scenario", "run @named.yaml --output=@keyed.yaml",
            gives: overwriting("`--output`", "`keyed.yaml`")),
        Case(
            "the keys of the account of a scenario", "generate @named.yaml --output=@prod.keys",
            gives: overwriting("`--output`", "`prod.keys`")),
        Case(
            "the fetches", "replay @day.jsonl --fetches=@fetches.txt --malformed=@fetches.txt",
            gives: overwriting("`--malformed`", "`--fetches`")),
        Case(
            "the candidate", "diff @day.jsonl --candidate=@account.yaml --output=@account.yaml",
            gives: overwriting("`--output`", "`--candidate`")),
        Case(
            "the changes", "diff @day.jsonl --changes=@good.yaml --output=@good.yaml",
            gives: overwriting("`--output`", "`--changes`")),
        Case(
            "what is explained", "explain @day.jsonl --device \(Sample.bob) --output=@day.jsonl",
            gives: overwriting("`--output`", "`day.jsonl`")),
        Case("a scenario", "run @good.yaml --printed @good.yaml", gives: overwriting("`--printed`", "`good.yaml`")),
        Case(
            "a scenario of a folder", "run @folder --decisions @folder/inner.yaml",
            gives: overwriting("`--decisions`", "`folder/inner.yaml`")),
    ]

    static let outputs: [Case<Words, String?>] = [
        Case(
            "one file twice", "replay @day.jsonl --output=@new --decisions=@new",
            gives: both("`--decisions`", "`--output`")),
        Case(
            "one file by a link to it", "replay @day.jsonl --malformed=@new --output=@dangling",
            gives: both("`--malformed`", "`--output`")),
        Case(
            "one file by another path", "run @good.yaml --printed=@folder/../new --decisions=@new",
            gives: both("`--printed`", "`--decisions`")),
        Case(
            "standard output beside the report", "run @good.yaml --decisions -",
            gives: both("`--decisions`", "the report")),
        Case(
            "standard output beside the report that is sent there", "run @good.yaml --printed - --output -",
            gives: both("`--printed`", "`--output`")),
        Case(
            "standard output by its path", "run @good.yaml --decisions /dev/stdout",
            gives: both("`--decisions`", "the report")),
        Case(
            "standard output twice", "run @good.yaml --decisions - --printed - --output @new",
            gives: both("`--printed`", "`--decisions`")),
    ]

    static let sound: [Case<Words, String?>] = [
        Case("different files", "run @good.yaml --decisions=@new --output=@newer", gives: nil),
        Case("nowhere, twice", "run @good.yaml --decisions=/dev/null --output=/dev/null", gives: nil),
        Case("a capture twice", "replay @day.jsonl @day.jsonl --sort --output=@new", gives: nil),
        Case("like a scenario, but none", "run @folder --output @folder/report.json", gives: nil),
    ]

    private static func folder() throws -> TemporaryFolder {
        var files = Sample.files
        files["folder/"] = nil
        files["folder/inner.yaml"] = Sample.good
        files["keyed.yaml"] = "account: keyed\nkeys: prod.keys\n"
        files["prod.keys"] = "key-id: a\n"
        files["named.yaml"] = "scenario: named\naccount: keyed.yaml\n"
        let folder = try TemporaryFolder(files)
        #expect(unsafe symlink("day.jsonl", folder.path + "/link") == 0)
        #expect(unsafe symlink("new", folder.path + "/dangling") == 0)
        #expect(unsafe link(folder.path + "/day.jsonl", folder.path + "/twin") == 0)
        return folder
    }

    @Test(arguments: inputs + outputs) func isReportedBeforeAnythingIsWritten(_ row: Case<Words, String?>) throws {
        let folder = try Self.folder()
        let before = folder.names.map { folder[$0] }
        let run = ToolRun(row.input.list, in: folder).ending(.usage)
        #expect(run.error == "scenario: error: \(row.expected ?? "")\n")
        #expect(run.output == "")
        #expect(folder.names.map { folder[$0] } == before)
    }

    @Test(arguments: sound) func isNoMistake(_ row: Case<Words, String?>) throws {
        let run = ToolRun(row.input.list, in: try Self.folder()).ending(.success)
        // A capture that is given twice has each record twice.
        #expect(!run.error.contains("error"), "\(run.error)")
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
        #expect(end.status == scenario.ExitStatus.usage.rawValue)
        #expect(end.error.contains("of the command line is not UTF-8: "))
        #expect(try Self.names(in: folder) == ["s.yaml"])
    }

    @Test func aLinkToSuchANameStaysALink() throws {
        let folder = try TemporaryFolder(Self.files)
        let end = try Self.run(#"ln -s "$name" link && "$0" run s.yaml --output link"#, in: folder)
        #expect(end.status == scenario.ExitStatus.invalidInput.rawValue)
        #expect(end.error.contains("link: error: it is a link that cannot be followed"))
        #expect(try Self.names(in: folder) == ["link", "s.yaml"])
    }

    @Test func aFileWithSuchANameIsNotReplacedThroughItsLink() throws {
        let folder = try TemporaryFolder(Self.files)
        let end = try Self.run(
            #"echo old > "$name" && ln -s "$name" link && "$0" run s.yaml --output link"#, in: folder)
        #expect(end.status == scenario.ExitStatus.invalidInput.rawValue)
        #expect(folder["link"] == "old\n")
        #expect(try Self.names(in: folder) == [#"a\377b"#, "link", "s.yaml"])
    }

    // A folder of such a name is where the file is meant to be.
    @Test func insideAFolderOfSuchANameFilesAreWritten() throws {
        let folder = try TemporaryFolder(Self.files)
        let end = try Self.run(#"mkdir "$name" && cd "$name" && "$0" run ../s.yaml --output out"#, in: folder)
        #expect(end.status == scenario.ExitStatus.success.rawValue, "\(end.error)")
        #expect(try Self.names(in: folder) == [#"a\377b"#, "s.yaml"])
        let moved = try Self.run(#"mv "$name/out" out"#, in: folder)
        #expect(moved.status == 0 && folder["out"]?.isEmpty == false)
    }

    private static let failing = files.mapValues { $0.replacing("pass", with: "fail") }

    @Test func noFolderOfAnotherNameIsMade() throws {
        let folder = try TemporaryFolder(Self.failing)
        let end = try Self.run(#"XDG_STATE_HOME="$PWD/$name" HOME="$PWD/$name" "$0" run s.yaml"#, in: folder)
        #expect(end.status == scenario.ExitStatus.expectationFailed.rawValue)
        #expect(try Self.names(in: folder) == ["s.yaml"])
    }

    // A path with more folders than a stack has room for calls.
    @Test func aFolderWithAVeryLongPathIsNotMade() throws {
        let folder = try TemporaryFolder(Self.failing)
        let end = try Self.run(
            #"XDG_STATE_HOME="$PWD/$(printf '%060000d' 0 | sed 's|0|a/|g')" "$0" run s.yaml"#, in: folder)
        #expect(end.status == scenario.ExitStatus.expectationFailed.rawValue, "\(end.error)")
        #expect(try Self.names(in: folder) == ["s.yaml"])
    }
}
