import Testing

@testable import TestSupport
@testable import scenario

/// No limit passes where nothing was evaluated or tested: the list of limits is that of the commands, and each has rows here.
@Suite struct LimitsOfNothingTests {
    struct Row: LabelledRow {
        /// The limit, and the thing of which there is nothing.
        let name: String
        /// The command and the limit.
        let command, option: String
        /// The rest of the command line.
        let arguments: Words
        /// The limit is exceeded, or nothing ran.
        let status: scenario.ExitStatus

        init(_ limit: String, _ name: String, _ arguments: Words, _ status: scenario.ExitStatus) {
            let words = limit.split(separator: " ").map(String.init)
            (command, option, self.arguments, self.status) = (words[0], words[1], arguments, status)
            self.name = "\(limit): \(name)"
        }
    }

    // Bob and nine others attest once, and the account rejects new devices; no record says which devices were new.
    private static let records = (0..<10).map { number in
        #"{"time":"2020-07-23T1\#(number):00:00Z","device-id":"\#(DiffSample.device(number))","flags":"","ip":"1.2.3.\#(number)"}"#
            + "\n"
    }

    private static let files = [
        "day.jsonl": records.joined(), "two.jsonl": records[..<2].joined(), "eight.jsonl": records[2...].joined(),
        "plain.yaml": "account: a\npolicy: default,allow-root,default\n",
        "new.yaml": "account: a\npolicy: default,allow-root,default\nreject-flags: {add: [new-did]}\n",
        "labels.csv": "device-id,label\n"
            + (0..<10).map { "\(DiffSample.device($0)),\($0 % 2 == 0 ? "bad" : "good")\n" }.joined(),
        "early.csv": "device-id,label\n" + (0..<2).map { "\(DiffSample.device($0)),bad\n" }.joined()
            + "\(DiffSample.device(2)),good\n",
        "slow.yaml": "account: a\nfilters: [{name: slow, key: x, regex: '(a|aa)+$', reject: true}]\n",
        "slow.jsonl": #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DiffSample.device(0))","flags":"","x":""#
            + String(repeating: "a", count: 30) + #"!"}"# + "\n",
        "silent.yaml": "scenario: s\ndevices: {bob: {}}\nsteps: []\n",
        "unasked.yaml": "scenario: s\ndevices: {bob: {}}\nsteps: [{at: 0s, fetch: bob}]\n",
    ]

    private static let change = "@day.jsonl --account=@plain.yaml --candidate=@new.yaml"
    private static let search = "@day.jsonl --account=@new.yaml --labels=@labels.csv --max-edits=0 --timeout=5m"

    static let rows = [
        Row("replay --max-unevaluated", "no device is evaluated", "@day.jsonl --account=@new.yaml", .limitExceeded),
        Row("diff --max-newly-rejected", "no device is evaluated", Words(stringLiteral: change), .limitExceeded),
        Row("diff --max-newly-accepted", "no device is evaluated", Words(stringLiteral: change), .limitExceeded),
        Row("diff --max-annotations-changed", "no device is evaluated", Words(stringLiteral: change), .limitExceeded),
        Row("diff --max-unevaluated", "no device is evaluated", Words(stringLiteral: change), .limitExceeded),
        Row(
            "diff --max-newly-blocked", "nobody asks for anything", "@silent.yaml --policy=default,default,default",
            .nothingRan),
        Row("whatif --max-newly-rejected", "no device is evaluated", "@slow.jsonl --account=@slow.yaml", .nothingRan),
        Row("search --catch", "no device is evaluated", Words(stringLiteral: search), .limitExceeded),
        Row("search --max-good-blocked", "no device is evaluated", Words(stringLiteral: search), .limitExceeded),
        Row(
            "search --max-newly-rejected", "no device is evaluated",
            "@day.jsonl --account=@new.yaml --keep=ip=9.9.9.9 --labels=@labels.csv --max-good-blocked=100% --max-edits=0",
            .limitExceeded),
        Row(
            "search --catch", "no bad device is held out",
            "@day.jsonl --account=@plain.yaml --labels=@early.csv --holdout=2020-07-23T12:00:00Z --max-edits=1",
            .limitExceeded),
        Row(
            "search --max-good-blocked", "no good device was before",
            "@day.jsonl --account=@plain.yaml --labels=@early.csv --holdout=2020-07-23T12:00:00Z --max-edits=1",
            .limitExceeded),
        Row(
            "search --catch", "no device has the label", "@eight.jsonl --account=@plain.yaml --labels=@early.csv",
            .nothingRan),
        Row(
            "compare --max-drift", "no device is evaluated", "@two.jsonl @eight.jsonl --account=@new.yaml",
            .limitExceeded),
        Row(
            "compare --max-drift", "no record has the key",
            "@two.jsonl @eight.jsonl --account=@plain.yaml --keys=app-versoin", .limitExceeded),
        Row("run --min-coverage", "nothing is expected", "@unasked.yaml", .nothingRan),
        Row("run --min-coverage", "nothing is selected", "@unasked.yaml --name=other", .nothingRan),
        Row("run --min-mutants", "nothing is expected", "@unasked.yaml", .nothingRan),
        Row("run --min-mutants", "nothing is selected", "@unasked.yaml --name=other", .nothingRan),
        Row("merge --max-newly-rejected", "no device is evaluated", "@part", .limitExceeded),
        Row("merge --max-newly-accepted", "no device is evaluated", "@part", .limitExceeded),
        Row("merge --max-annotations-changed", "no device is evaluated", "@part", .limitExceeded),
        Row("merge --max-unevaluated", "no device is evaluated", "@part", .limitExceeded),
    ]

    // Numbers by which something else than a figure is limited.
    private static let sizes: Set = ["--max-edits", "--max-answer"]

    @Test func everyLimitOfEveryCommandHasARow() {
        var limits: Set<String> = []
        for command in ScenarioTool.commands.map({ $0.definition }) {
            for option in command.options where option.name != ConfidenceOption.option.name {
                if case .bound = option.value {
                    limits.insert("\(command.name) \(option.name)")
                } else {
                    #expect(option.name.firstMatch(of: /^--(min|max)-/) == nil || Self.sizes.contains(option.name))
                }
            }
        }
        #expect(limits == Set(Self.rows.map { "\($0.command) \($0.option)" }))
    }

    /// The limit is the loosest one that allows anything to be wrong; with a level, it is no looser.
    @Test(arguments: rows) func doesNotPass(_ row: Row) throws {
        let folder = try TemporaryFolder(Self.files)
        ToolRun(["diff"] + Words(stringLiteral: Self.change).list + ["--partial=@part"], in: folder).ending(.success)
        let limit = "\(row.option)=\(row.option.hasPrefix("--max-") ? "99%" : "1%")"
        let run = ToolRun([row.command] + row.arguments.list + [limit], in: folder)
        #expect(run.status == row.status, "\(run.output)\(run.error)")
        #expect(!run.error.isEmpty || run.output.hasPrefix("no answer: "), "\(run.output)")
        let command = try #require(ScenarioTool.commands.map { $0.definition }.first { $0.name == row.command })
        guard command.options.contains(where: { $0.name == ConfidenceOption.option.name }) else { return }
        let proved = ToolRun(
            [row.command] + row.arguments.list + [limit, "--confidence=95%"], in: folder)
        #expect(proved.status != .success, "\(proved.output)\(proved.error)")
    }
}
