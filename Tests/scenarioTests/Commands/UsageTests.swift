import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Command lines that cannot be understood: one line, and exit status 3.
@Suite struct UsageTests {
    static let rows: [ToolRow] = [
        .usage("unknown command", "rnu", "unknown command `rnu`; did you mean `run`?"),
        .usage(
            "unknown command that is near none", "simulate",
            "unknown command `simulate`; `scenario --help` lists the commands"),
        .usage("unknown option of the tool", "--verson", "unknown option `--verson`; did you mean `--version`?"),
        .usage("unknown option", "run --nmae x", "unknown option `--nmae`; did you mean `--name`?"),
        .usage("option of another command", "run --sort", "unknown option `--sort`; `--help` lists the options"),
        .usage("missing operand", "replay", "`CAPTURE…` is missing; `--help` shows how it is used"),
        .usage("missing value", "run --tag", "option `--tag T` lacks its value"),
        ToolRow(
            name: "empty operand", arguments: ["run", ""], status: .usage, error: "scenario: error: a PATH is empty\n"),
        .usage("seed", "run --seed x", "option `--seed` takes a whole number, 0 through 18446744073709551615, not `x`"),
        .usage(
            "form", "run --format xml",
            "option `--format` does not know `xml`; it knows `text`, `json`, `html`, "
                + "`openmetrics`, `junit`, `tap`, `github`, `summary-mail`"),
        .usage(
            "near form", "replay --input-format json @day.jsonl",
            "option `--input-format` does not know `json`; did you mean `jsonl`?"),
        .usage("option twice", "run --seed 1 --seed=2", "option `--seed` is given more than once"),
        .usage("regex", "run --name ( @good.yaml", "`--name`: bad regex `(`: missing closing parenthesis at offset 1"),
        .usage(
            "time zone", "replay --timezone 5 @day.jsonl",
            "`--timezone` takes `±hh:mm` or the name of a zone, not `5`; such as `BST`, or `Europe/London` from /usr/share/zoneinfo/"
        ),
        .usage(
            "decisions of scenarios as columns", "run @good.yaml --decisions d.arrow",
            "the decisions of scenarios are lines, and `d.arrow` stands for columns; a name such as `decisions.jsonl`; "
                + "`replay` and `diff` write columns"),
        .usage("standard input twice", "replay - -", "standard input can be read once only"),
    ]

    @Test(arguments: rows) func endsBeforeAnythingIsRead(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Sample.files)
    }

    @Test func nothingTypedShowsTheHelpAsAnError() throws {
        let run = try ToolRun([]).ending(.usage)
        #expect(run.error == HelpText.text(for: ScenarioTool.definition))
        #expect(run.output == "")
    }
}

/// Typing errors that would weaken a rule are reported by every command that could be fooled by them.
@Suite struct ProbableMistakeTests {
    private static let files = Sample.files.merging([
        "typo.yaml": "filters:\n  - {name: lab, key: IP, match: 1.2.3.4, reject: true}\n",
        "network.yaml": "filters:\n  - {name: lab, key: ip, match: 10.0.0.0/8, reject: true}\n",
        "shop.yaml": "filters:\n  - {name: lab, key: shop-id, match: x, reject: true}\n",
        "shop.jsonl": """
        {"time":"2020-07-23T10:00:00Z","device-id":"\(Sample.bob)","public-flags":"","shop-id":"y"}

        """,
        "typos.jsonl": """
        {"time":"2020-07-23T10:00:00Z","device-id":"\(Sample.bob)","public-flags":"rooted","App_Version":"1"}

        """,
        "s.yaml": """
        scenario: Slip
        account: typo.yaml
        devices: {bob: {os: ios}}
        steps: [{at: 0s, fetch: bob, expect: {verdict: pass}}]

        """,
        "own.yaml": "scenario: Own\ndevices: {bob: {os: ios}}\nsteps: [{at: 0s, fetch: bob, expect: {pass: 1}}]\n",
    ]) { $1 }

    private static let mistake = """
        typo.yaml:2:12: warning: filter `lab` looks at `IP`, which no device is known to have
            - {name: lab, key: IP, match: 1.2.3.4, reject: true}
                     ^
          hint: did you mean `ip`?

        """
    private static let network = """
        network.yaml:2:12: warning: filter `lab` can never match: `10.0.0.0/8` is a network, but an exact match \
        compares single addresses
            - {name: lab, key: ip, match: 10.0.0.0/8, reject: true}
                     ^
          hint: `match` compares one exact address; `regex` can match several

        """
    private static let added = """
        filter new: warning: filter `new` looks at `app_version`, which no device is known to have
          hint: did you mean `app-version`?

        """
    private static let shop = """
        shop.yaml:2:12: warning: filter `lab` looks at `shop-id`, which no device is known to have
            - {name: lab, key: shop-id, match: x, reject: true}
                     ^

        """
    private static let inCapture = """
        typos.jsonl:1: warning: 1 record has the unknown key `App_Version`, which is not read as `app-version`
          hint: did you mean `app-version`?

        """
    private static let add = "filter -add new -key app_version -matchValue 1 -reject"

    static let rows = [
        ToolRow(name: "run", arguments: "run @s.yaml", status: .success, error: mistake),
        ToolRow(name: "replay", arguments: "replay --account @typo.yaml @day.jsonl", status: .success, error: mistake),
        ToolRow(
            name: "replay, a network", arguments: "replay --account @network.yaml @day.jsonl",
            status: .success, error: network),
        ToolRow(
            name: "replay, a change", arguments: ["replay", "--change", add, "@day.jsonl"], status: .success,
            error: added),
        ToolRow(
            name: "replay, an unknown key that no record has",
            arguments: "replay --account=@shop.yaml @day.jsonl", status: .success, error: shop),
        ToolRow(
            name: "replay, an unknown key that records have",
            arguments: "replay --account=@shop.yaml @shop.jsonl", status: .success),
        ToolRow(
            name: "diff, the account before",
            arguments: ["diff", "--account=@typo.yaml", "--change", add, "@day.jsonl"],
            status: .success, error: mistake + added),
        ToolRow(
            name: "diff, the candidate", arguments: "diff --account=new --candidate @typo.yaml @day.jsonl",
            status: .success, error: mistake),
        ToolRow(
            name: "diff of a scenario", arguments: "diff --candidate @typo.yaml @own.yaml",
            status: .success, error: mistake),
        ToolRow(
            name: "diff of a scenario that has the mistake", arguments: ["diff", "--change", add, "@s.yaml"],
            status: .success, error: mistake + added),
        ToolRow(name: "replay of mistakes", arguments: "replay @typos.jsonl", status: .success, error: inCapture),
        ToolRow(
            name: "diff of mistakes", arguments: "diff --account=new --policy=default,strict,risk @typos.jsonl",
            status: .success, error: inCapture),
    ]

    @Test("R7.2 R2.2 mistakes are reported", arguments: rows) func reports(_ row: ToolRow) throws {
        let run = try ToolRun(row.arguments.list, files: Self.files)
        #expect(run.status == row.status)
        #expect(run.error == row.error)
        #expect(!run.output.isEmpty)
    }

    @Test(arguments: [1, 2, 7]) func reportsTheSameWithAnyJobs(_ jobs: Int) throws {
        let run = try ToolRun(["replay", "--jobs=\(jobs)", "--account=@typo.yaml", "@typos.jsonl"], files: Self.files)
        #expect(run.error == Self.inCapture + Self.mistake)
    }

    private static let unknown = "which no device is known to have [unknown-filter-key]"

    /// Files, and the first line of each finding in them.
    static let linted: [Case<[String], [String]>] = [
        Case(["typo.yaml"], gives: ["typo.yaml:2:12: warning: filter `lab` looks at `IP`, " + unknown]),
        Case(
            ["s.yaml"],
            gives: ["typo.yaml:2:12: warning: filter `lab` looks at `IP`, which no device is known to have"]),
        Case(["s.yaml", "typo.yaml"], gives: ["typo.yaml:2:12: warning: filter `lab` looks at `IP`, " + unknown]),
        Case(
            ["network.yaml"],
            gives: [
                "network.yaml:2:12: warning: filter `lab` can never match: `10.0.0.0/8` is a network, but an exact "
                    + "match compares single addresses [filter-never-matches]"
            ]),
        Case(["shop.yaml"], gives: ["shop.yaml:2:12: warning: filter `lab` looks at `shop-id`, " + unknown]),
        Case(
            ["shop.yaml", "day.jsonl"],
            gives: ["shop.yaml:2:12: warning: filter `lab` looks at `shop-id`, " + unknown]),
        Case(["shop.yaml", "shop.jsonl"], gives: []),
        Case(["typos.jsonl"], gives: inCapture.split(separator: "\n").filter { !$0.hasPrefix("  ") }.map(String.init)),
    ]

    @Test("R7.2 lint reports, and fails where it is strict", arguments: linted)
    func lints(_ row: Case<[String], [String]>) throws {
        let paths = row.input.map { "@" + $0 }
        let plain = try ToolRun(["lint"] + paths, files: Self.files)
        #expect(plain.output.split(separator: "\n").filter { !$0.hasPrefix("  ") }.map(String.init) == row.expected)
        #expect(plain.status == .success)
        let strict = try ToolRun(["lint", "--strict"] + paths, files: Self.files)
        #expect(strict.status == (row.expected.isEmpty ? .success : .expectationFailed))
    }
}

/// Input that people give by mistake: the message says what it is, and what to type.
@Suite struct MisleadingInputTests {
    private static let csv = "time,device-id,flags\n2020-07-23T10:00:00Z,\(Sample.bob),\"rooted,xposed\"\n"
    private static let files = Sample.files.merging(
        [
            "day.csv": csv, "semicolons.csv": csv.replacing(",", with: ";"), "array.json": "\n [\n{\"time\":1}]\n",
            "blanks.json": "[{\"time\": \"2020-07-23T10:00:00Z\", \"flags\": \"\"}]\n",
            "underscores.jsonl": "{\"time\":\"2020-07-23T10:00:00Z\",\"device_id\":\"\(Sample.bob)\",\"flags\":\"\"}\n",
            "leap.jsonl": "{\"time\":\"2016-12-31T23:59:60Z\",\"device-id\":\"\(Sample.bob)\",\"flags\":\"\"}\n",
            "labels.csv": "device_id,label\n\(Sample.bob),bad\n",
            "small.utf16": "{\u{0}\"\u{0}", "large.utf16": "\u{0}{\u{0}\"",
            "prose.txt": "Dear reader, this is no table.\nNor is this.\n",
        ]) { $1 }

    private static func utf16(_ name: String) -> String {
        """
        \(name).utf16: error: text in UTF-16; a capture is in UTF-8
          hint: `iconv -f UTF-16 -t UTF-8 FILE` writes such text, and `-` reads it from a pipe
        """
    }

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
            array.json: error: a JSON array; a capture has each object on a line of its own
              hint: `jq -c '.[]' FILE` writes such lines, and `-` reads them from a pipe
            """),
        .invalid(
            "a JSON array with blanks", "replay @blanks.json",
            """
            blanks.json: error: a JSON array; a capture has each object on a line of its own
              hint: `jq -c '.[]' FILE` writes such lines, and `-` reads them from a pipe
            """),
        .invalid("UTF-16 with the small end first", "replay @small.utf16", utf16("small")),
        .invalid("UTF-16 with the big end first", "replay @large.utf16", utf16("large")),
        .invalid(
            "a key with an underscore", "replay @underscores.jsonl",
            """
            underscores.jsonl:1: error: record without `device-id`
              hint: `device_id` is written `device-id`
            """),
        .invalid(
            "a leap second", "replay @leap.jsonl",
            """
            leap.jsonl:1: error: `2016-12-31T23:59:60Z` is not a time of RFC 3339
              hint: a leap second is not counted since 1970; write the second after it
            """),
        .invalid(
            "a column of labels with an underscore", "replay @day.jsonl --labels=@labels.csv",
            """
            labels.csv:1:1: error: `device_id` is no attribute that a label can name
              device_id,label
              ^
              hint: did you mean `device-id`?
            """),
        .usage(
            "a level without its unit", "replay @day.jsonl --confidence=95",
            "`--confidence` takes a share, not `95`; did you mean `95%`?"),
        .usage(
            "a level of more than all", "replay @day.jsonl --confidence=951",
            "`--confidence` takes a share, not `951`; such as `80%`"),
        .invalid(
            "inputs joined by commas",
            ["diff", "@day.jsonl", "--account=new", "--change=filter -add x -conjunction a,b"],
            "--change: error: the inputs of a conjunction are joined by `+`: `-conjunction a+b`"),
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
