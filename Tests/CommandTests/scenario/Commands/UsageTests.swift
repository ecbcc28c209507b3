import Foundation
import Testing

@testable import Reports
@testable import TestSupport
@testable import scenario

/// Command lines that cannot be understood: one line, and exit status 3.
@Suite struct UsageTests {
    @Test func nothingTypedShowsTheHelpAsAnError() throws {
        let run = try ToolRun([]).ending(.usage)
        expect(run.error, equals: HelpText.text(for: ScenarioTool.definition))
        expect(run.output, equals: "")
    }
}

/// `--quiet`: results and errors, and nothing else.
@Suite struct QuietTests {
    @Test func showsNoProgress() {
        var console = Console(output: { _ in }, error: { _ in }, style: .plain, showsProgress: true)
        #expect(console.showsProgress)
        console.isQuiet = true
        #expect(!console.showsProgress)
    }
}

/// Input that people give by mistake: the message says what it is, and what to type.
@Suite struct MisleadingInputTests {
    // No file of text contains zeros.
    @Test("UTF-16 is named as such", arguments: ["{\u{0}\"\u{0}", "\u{0}{\u{0}\""]) func utf16(text: String) throws {
        let row = ToolRow.invalid(
            "UTF-16", "replay @day.utf16",
            """
            day.utf16: error: text in UTF-16; a capture is in UTF-8
              hint: `iconv -f UTF-16 -t UTF-8 FILE` writes such text, and `-` reads it from a pipe
            """)
        try row.expectNoOutput(files: ["day.utf16": text])
    }

    @Test("the command of the hint makes a capture of a table, with values in quotes") func theHintWorks() throws {
        let folder = try TemporaryFolder([
            "day.csv": "time,device-id,flags\n2020-07-23T10:00:00Z,\(Sample.bob),\"rooted,xposed\"\n"
        ])
        let run = ToolRun("replay @day.csv", in: folder)
        let command = try #require(run.error.firstMatch(of: /hint: `(.*) < FILE`/)).output.1
        _ = try ShellRun("\(command) < day.csv > lines.jsonl", in: URL(filePath: folder.path))
        let report = ToolRun("replay @lines.jsonl", in: folder).output
        #expect(report.contains("attestations    1\n") && report.contains("xposed") && report.contains("rooted"))
    }

    // A report without the command at its end.
    private static func effects(_ report: String) -> Substring {
        report[..<(report.firstRange(of: "\nTo explain a device\n")?.lowerBound ?? report.endIndex)]
    }

    @Test("an account, a candidate and changes come from standard input and from pipes") func pipes() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let plain = ToolRun("diff @day.jsonl --account=@plain.yaml --candidate=@root.yaml", in: folder)
        #expect(plain.output.contains("1 would start"))
        for words in [
            "--account=- --candidate=root.yaml < plain.yaml", "--account=plain.yaml --candidate=- < root.yaml",
            "--account=<(cat plain.yaml) --candidate=<(cat root.yaml)",
            "--account=plain.yaml --changes=<(cat allow.txt)", "--account=plain.yaml --changes=- < allow.txt",
        ] {
            let shell = try ShellRun(
                "'\(ToolProcess.path)' diff day.jsonl \(words)", in: URL(filePath: folder.path), by: "/bin/bash")
            let text = shell.output
            #expect(Self.effects(text) == Self.effects(plain.output) && shell.status == 0, "\(words)")
            // A file that was read once cannot be explained by the same words.
            #expect(!text.contains("/dev/fd/") && !text.contains("--changes -") && !text.contains("--account -"))
        }
    }

    @Test("the guide of a new project is that beside the installed command") func installedGuides() throws {
        let folder = try TemporaryFolder(["share/doc/scenario/docs/guides/test-a-backend.md": "#", "bin/scenario": ""])
        let program = folder.path("bin/scenario")
        expect(
            InstalledExamples.guide(Starter.Purpose.backend.guide, of: program),
            equals: folder.path("share/doc/scenario/docs/guides/test-a-backend.md"))
        #expect(InstalledExamples.guide(Starter.Purpose.bank.guide, of: program) == nil)
    }

    @Test("without a folder of scenarios, `run` names the installed examples") func installedExamples() throws {
        let folder = try TemporaryFolder([
            "share/doc/scenario/examples/Scenarios/one.yaml": Sample.good, "bin/scenario": "",
        ])
        let examples = folder.path("share/doc/scenario/examples/Scenarios")
        expect(
            InstalledExamples.hint(of: folder.path("bin/scenario")),
            equals: "`scenario run \(examples)` runs the examples; `scenario init bank` writes one to begin with")
        #expect(InstalledExamples.folder(of: "/scenario") == nil)
        let end = try ToolProcess(["run"], in: try TemporaryFolder()).end()
        expect(end.status, equals: 2)
        #expect(
            end.error.hasPrefix(
                "Scenarios: error: there is no such folder here, and no other was given\n  hint: `scenario "))
    }
}
