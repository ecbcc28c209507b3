import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Input that people give by mistake: the message says what it is, and what to type.
@Suite struct MisleadingInputTests {
    private static let csv = "time,device-id,flags\n2020-07-23T10:00:00Z,\(Sample.bob),\"rooted,xposed\"\n"
    private static let files = Sample.files.merging(
        [
            "day.csv": csv, "semicolons.csv": csv.replacing(",", with: ";"), "array.json": "\n [\n{\"time\":1}]\n",
            "prose.txt": "Dear reader, this is no table.\nNor is this.\n",
        ]) { $1 }

    static let rows = [
        ToolRow.invalid(
            "a table", "replay @day.csv",
            """
            day.csv: error: a table, such as CSV; a capture has a JSON object on each line
              hint: `python3 -c 'import csv, json, sys; [print(json.dumps(r)) for r in csv.DictReader(sys.stdin)]' < FILE` writes \
            such lines; names of columns are keys of records
            """),
        .invalid(
            "a JSON array", "diff @array.json --account=new --policy=strict",
            """
            --policy: warning: `strict` changes the rejection policy alone: the policy becomes `default,strict,default`
            array.json: error: a JSON array; a capture has each object on a line of its own
              hint: `jq -c '.[]' FILE` writes such lines, and `-` reads them from a pipe
            """),
        .invalid(
            "prose", "replay @prose.txt",
            """
            prose.txt: error: neither device information, nor fetches, nor JSON Lines, nor columns of Arrow
              hint: --input-format names the form if the content does not show it
            """),
        .invalid(
            "a preset that is mistyped", "diff @day.jsonl --account=new --policy=strikt",
            "--policy: error: `strikt` is not a rejection policy\n  hint: did you mean `strict`?"),
        .invalid(
            "a policy of nobody", "diff @day.jsonl --account=new --policy=bank",
            "--policy: error: `bank` is not a rejection policy\n  hint: there are default, strict, allow-cloned, allow-xposed, "
                + "allow-root, allow-root-and-jailbroken, allow-root-and-jailbroken-only, allow-raj-only-short-lifetime, "
                + "whitelist, blacklist; a whole policy is `rules,rejection,annotation`"),
        .usage(
            "capital letters", ["search", "@day.jsonl", "--account=new", "--reject=flag:rooted AND flag:xposed"],
            "`--reject`: `AND` is not expected at character 13; `and` is written here"),
        .usage(
            "signs of other languages", ["search", "@day.jsonl", "--account=new", "--keep=! flag:rooted"],
            "`--keep`: `!` is not a condition; `not` is written here"),
        .usage(
            "no quotes", ["search", "@day.jsonl", "--account=new", "--reject=flag:rooted", "OR", "flag:xposed"],
            "`OR` is no capture; an expression with spaces is in quotes: `--reject 'flag:frida and flag:rooted'`"),
        .usage("two readers", "diff - --account=- --policy=strict", "standard input can be read once only"),
        .usage(
            "an account of two commits", "diff @day.jsonl --account=- --base=HEAD",
            "`--base` needs `--account`; it says which file of the commit"),
    ]

    @Test(arguments: rows) func saysWhatToType(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Self.files)
    }

    @Test func aKeyOfTheTimeIsFound() throws {
        let run = try ToolRun("replay @day.jsonl --count=hour --output=@report.txt", files: Self.files)
        #expect(
            run.error == "--count: warning: no record has a value for `hour`\n  hint: did you mean `time/hour`?\n")
    }

    @Test("the command of the hint makes a capture of a table, with values in quotes") func theHintWorks() throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun("replay @day.csv", in: folder)
        let command = try #require(run.error.firstMatch(of: /hint: `(.*) < FILE`/)).output.1
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "\(command) < '\(folder.path("day.csv"))' > '\(folder.path("lines.jsonl"))'"]
        try shell.run()
        shell.waitUntilExit()
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
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/bash")
            shell.currentDirectoryURL = URL(filePath: folder.path)
            shell.arguments = ["-c", "'\(ToolProcess.path)' diff day.jsonl \(words)"]
            let output = Pipe()
            shell.standardOutput = output
            try shell.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            shell.waitUntilExit()
            #expect(Self.effects(text) == Self.effects(plain.output) && shell.terminationStatus == 0, "\(words)")
            // A file that was read once cannot be explained by the same words.
            #expect(!text.contains("/dev/fd/") && !text.contains("--changes -") && !text.contains("--account -"))
        }
    }

    @Test("a file that a scenario names is no pipe, which might never end") func namedFilesAreFiles() throws {
        let folder = try TemporaryFolder(["s.yaml": "scenario: s\naccount: \"-\"\nsteps: []\n"])
        #expect(ToolRun("run @s.yaml", in: folder).error.contains("no such file"))
    }

    @Test("without a folder of scenarios, `run` names the installed examples") func installedExamples() throws {
        let folder = try TemporaryFolder([
            "share/doc/scenario/examples/Scenarios/one.yaml": Sample.good, "bin/scenario": "",
        ])
        let examples = folder.path("share/doc/scenario/examples/Scenarios")
        #expect(
            InstalledExamples.hint(of: folder.path("bin/scenario"))
                == "`scenario run \(examples)` runs the examples; `scenario init bank` writes one to begin with")
        #expect(InstalledExamples.folder(of: "/scenario") == nil)
        let end = try ToolProcess(["run"], in: try TemporaryFolder()).end()
        #expect(end.status == 2)
        #expect(
            end.error.hasPrefix(
                "Scenarios: error: there is no such folder here, and no other was given\n  hint: `scenario "))
    }
}
