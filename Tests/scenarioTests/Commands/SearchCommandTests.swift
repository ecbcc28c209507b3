import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// `search`: the fewest edits. The answers are worked out by hand: Bob is rooted and attests twice, Amy once.
@Suite struct SearchCommandTests {
    private static let files = Sample.files.merging([
        "shop.yaml": "account: shop\npolicy: default,allow-root,default\n", "list.txt": "\(Sample.bob)\n",
    ]) { $1 }

    private static func search(_ arguments: String...) throws -> ToolRun {
        try ToolRun(["search", "@day.jsonl", "--account=@shop.yaml", "--timeout=5m"] + arguments, files: files)
    }

    @Test func theBestAnswersComeFirst() throws {
        let run = try Self.search("--reject=flag:rooted", "--keep=not flag:rooted").ending(.success)
        #expect(
            run.output == """
                1 edit is enough
                  2 attestations have to fail, and 1 has to pass
                  the answers were chosen on the same attestations that they are reported on; `--holdout` reports them on others

                The best answers, in devices
                  edits                                     newly rejected  of them not asked for  newly accepted
                  policy -set default,default,default                    1                      0               0
                  policy -set default,strict,default                     1                      0               0
                  policy -set default,allow-cloned,default               1                      0               0
                  policy -set default,allow-xposed,default               1                      0               0
                  policy -addRejectFlag rooted                           1                      0               0

                """)
    }

    @Test func jsonHasTheSame() throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun(
            "search @day.jsonl --account=@shop.yaml --timeout=5m --reject='did:@\(folder.path)/list.txt' "
                + "--max-newly-rejected=0 --format=json --max-edits=1", in: folder
        ).ending(.success)
        let start = #"{"version":1,"maximum-edits":1,"rejecting":2,"keeping":0,"answers":["#
        #expect(
            run.output.hasPrefix(
                start
                    + #"{"commands":["policy -set default,default,default"],"newly-rejected":1,"besides":0,"newly-accepted":0,"unjudged-devices":0},"#
            ))
    }

    @Test func severalEditsStandBelowEachOther() throws {
        // Amy is kept by the preset, and Bob fails by his flag.
        let run = try ToolRun(
            "search @day.jsonl --account=new --policy=default,blacklist,default --reject=flag:rooted "
                + "--keep=did:\(Sample.amy) --timeout=5m", files: Self.files)
        #expect(run.output.hasPrefix("1 edit is enough\n"), "\(run.error)")
        let whitelist = try ToolRun(
            "search @day.jsonl --account=new --policy=default,blacklist,default "
                + "--keep='flag:rooted or did:\(Sample.amy)' --loosest --timeout=5m", files: Self.files)
        #expect(whitelist.output.contains("  policy -set default,whitelist,default "), "\(whitelist.output)")
    }

    @Test func noneIsSaidWithTheNumberOfEdits() throws {
        // Nothing distinguishes Bob's attestations.
        let run = try ToolRun(
            "search @two.jsonl --account=new --reject=ip=1.1.1.1 --keep=ip=2.2.2.2 --timeout=5m",
            files: ["two.jsonl": Self.record("1.1.1.1", Sample.bob) + Self.record("2.2.2.2", Sample.amy)])
        #expect(run.status == .limitExceeded, "\(run.error)")
        #expect(
            run.output
                == "no answer: 2 edits or fewer are not enough\n  1 attestation has to fail, and 1 has to pass\n")
    }

    private static let addresses = [
        record("10.0.0.1", Sample.bob), record("10.0.0.2", Sample.bob), record("10.1.0.7", Sample.amy),
        record("192.0.2.1", Sample.amy),
    ].joined()

    private static func filter(_ reject: String, _ more: String...) throws -> ToolRun {
        try ToolRun(
            [
                "search", "@addresses.jsonl", "--account=new", "--narrowest-filter=ip", "--timeout=5m", "--reject",
                reject,
            ] + more,
            files: ["addresses.jsonl": addresses])
    }

    @Test func theNarrowestFilterMatchesTheValuesAndNoOthers() throws {
        // Bob's addresses begin with 10.0.0., Amy's do not; they end with nothing in common.
        let run = try Self.filter("did:\(Sample.bob)").ending(.success)
        let rows = run.output.split(separator: "\n").suffix(4).map { $0.split(separator: " ").joined(separator: " ") }
        let start = "filter -add narrow-"
        #expect(
            rows == [
                start + #"1 -key ip -matchValue '\A(?:10\.0\.0\.1|10\.0\.0\.2)\z' -regex -reject"#, "1 0 0",
                start + #"2 -key ip -matchValue '\A10\.0\.0\.' -regex -reject"#, "1 0 0",
            ])
    }

    @Test func oneValueIsComparedAndNotSearchedFor() throws {
        let run = try Self.filter("ip=192.0.2.1", "--format=json").ending(.success)
        let command = "filter -add narrow-1 -key ip -matchValue 192.0.2.1 -reject"
        #expect(
            run.output.contains(#""answers":[{"commands":["\#(command)"],"newly-rejected":1,"besides":0,"#),
            "\(run.output)")
    }

    @Test func noFilterIsSaid() throws {
        // Amy attests from both networks.
        try Self.filter("flag:rooted or did:\(Sample.amy)", "--keep=ip~^10").ending(.invalidInput)
        try Self.filter(
            "did:\(Sample.bob) and ip=10.0.0.1", "--keep=did:\(Sample.amy)", "--max-newly-rejected=0"
        ).ending(.success)
        let none = try ToolRun(
            "search @two.jsonl --account=new --narrowest-filter=ip --reject=did:\(Sample.bob) "
                + "--keep=did:\(Sample.amy) --timeout=5m",
            files: ["two.jsonl": Self.record("1.1.1.1", Sample.bob) + Self.record("1.1.1.1", Sample.amy)]
        ).ending(.limitExceeded)
        #expect(
            none.output
                == "no answer: no rejecting filter on ip is enough\n  1 attestation has to fail, and 1 has to pass\n"
        )
    }

    /// Values that a command says with care, and the filter that matches each of them.
    static let unusual: [(value: String, test: String)] = [
        ("-reject", "-matchValue=-reject"), ("it's", #"-matchValue 'it'\''s'"#), ("", "-matchValue ''"),
        (#"\n"#, #"-matchValue '\A(?:\x{A})\z' -regex"#), (#"a\u001bb"#, #"-matchValue '\A(?:a\x{1B}b)\z' -regex"#),
        (#"\u0301"#, "-matchValue '\u{301}'"),
    ]

    @Test(arguments: unusual) func everyValueCanBeSaid(row: (value: String, test: String)) throws {
        let run = try ToolRun(
            "search @one.jsonl --account=new --narrowest-filter=ip --reject=did:\(Sample.bob) --timeout=5m",
            files: ["one.jsonl": Self.record(row.value, Sample.bob) + Self.record("1.1.1.1", Sample.amy)])
        #expect(run.status == .success, "\(run.error)")
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(" filter -add narrow-1 -key ip \(row.test) -reject 1 0 "), "\(run.output)")
    }

    // The only filter left would match what has to be kept, too.
    @Test func aFilterThatIsLeftOutIsSaid() throws {
        let rejected = (10_000..<20_000).map { Self.record("1\($0)", Sample.bob) }
        let run = try ToolRun(
            "search @many.jsonl --account=new --narrowest-filter=ip --reject=did:\(Sample.bob) "
                + "--keep=did:\(Sample.amy) --timeout=5m",
            files: ["many.jsonl": rejected.joined() + Self.record("11", Sample.amy)]
        ).ending(.notDecided)
        #expect(
            run.error == """
                scenario: warning: a filter is left out: regular expression is too large
                scenario: error: not decided: a filter that was left out might be an answer

                """)
        #expect(run.output.isEmpty)
    }

    private static func record(_ address: String, _ device: String) -> String {
        #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(device)","public-flags":"","ip":"\#(address)"}"# + "\n"
    }

    static let refused: [ToolRow] = [
        .usage(
            "a filter on flags", "--reject=flag:rooted --narrowest-filter=flags-all",
            "`--narrowest-filter` takes an attribute, not `flags-all`; policies reject flags"),
        .usage(
            "a filter that keeps", "--keep=flag:rooted --narrowest-filter=ip",
            "a filter rejects, but the expressions reject nothing; give `--reject`"),
        .usage(
            "a filter and a policy", "--reject=flag:rooted --narrowest-filter=ip --loosest",
            "`--loosest` cannot be combined with `--narrowest-filter`, which adds one filter"),
        ToolRow(
            name: "nothing asked", arguments: [], status: .usage,
            error: "scenario: error: there is no expression; give `--reject`, `--keep` or both\n"),
        ToolRow(
            name: "no record", arguments: "--reject=flag:xposed", status: .nothingRan,
            error: "scenario: error: nothing to search for: the expressions select no attestation\n"),
        ToolRow(
            name: "a flag that is mistyped", arguments: ["--reject=flag:rooted or flag:xpsed"], status: .invalidInput,
            error: "--reject: error: neither the account nor a record has the flag `xpsed`\n"
                + "  hint: did you mean `xposed`?\n"),
        ToolRow(
            name: "an attribute that is mistyped", arguments: ["--keep=not app-versoin=1 and flag:xposed"],
            status: .nothingRan,
            error: "--keep: warning: no record has a value for `app-versoin`\n  hint: did you mean `app-version`?\n"
                + "scenario: error: nothing to search for: the expressions select no attestation\n"),
        ToolRow(
            name: "a contradiction", arguments: "--reject=flag:rooted --keep=did:\(Sample.bob)",
            status: .invalidInput,
            error:
                "scenario: error: the expressions of `--reject` and `--keep` both select 2 attestations, such as one of "
                + "\(Sample.bob): no account can reject and pass the same one\n"),
        .usage(
            "a flag without its sign", "--reject=rooted",
            "`--reject`: `rooted` is not a condition; did you mean `flag:rooted`?"),
        .usage(
            "no expression", "--reject=somebody",
            "`--reject`: `somebody` is not a condition; there are `flag:NAME`, `did:ID`, `did:@FILE`, "
                + "`label:bad`, `verdict:pass`, `KEY=VALUE` and `KEY~REGEX`"),
        .usage(
            "no time", "--keep=flag:rooted --timeout=0s",
            "`--timeout` takes a duration above 0, not `0s`; such as `30s` or `5m`"),
    ]

    @Test(arguments: refused) func isRefused(_ row: ToolRow) throws {
        try row.expectNoOutput(command: ["search", "@day.jsonl", "--account=new"], files: Self.files)
    }
}

/// R7.2: patterns that take long, in commands that evaluate the same records again and again. The unit is the cost of the searches
/// of a replay, which searches each value once. Each test that counts is a process of its own, whose searches are those of its
/// commands.
@Suite("R7.2 the searches of a command") struct SearchCostTests {
    private static let pattern = "(a|aa)+$"

    // Values of one device that take long to search, each another one.
    private static func capture(_ count: Int) -> String {
        (0..<count).map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","flags":"","x":""#
                + String(repeating: "a", count: 30) + #"\#(number)!"}"# + "\n"
        }.joined()
    }

    // Lists of flags that take long to search, each another one.
    private static func flagged(_ count: Int) -> String {
        (0..<count).map { number in
            let names = ["rooted", "frida", "xposed", "magisk", "debug"].enumerated().filter {
                number >> $0.offset & 1 == 1
            }
            let flags = (names.map(\.element) + [String(repeating: "a", count: 40) + "!"]).joined(separator: ",")
            let device = TestSupport.Sample.device(number)
            return #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(device)","flags":"\#(flags)"}"# + "\n"
        }.joined()
    }

    private static let files = [
        "values.jsonl": capture(24), "flags.jsonl": flagged(16), "many.jsonl": capture(1500),
        "a.yaml": "account: prod\npolicy: default,default,default\n"
            + "filters: [{name: f, key: x, regex: '\(pattern)', reject: true}]\n",
        "flags.yaml": "account: prod\npolicy: default,default,default\n"
            + "filters: [{name: f, key: flags-all, regex: '\(pattern)', reject: true}]\n",
    ]

    private static func cost(_ arguments: [String], in folder: TemporaryFolder) -> (run: ToolRun, cost: Int) {
        let before = PatternMatcher.costOfProcess
        let run = ToolRun(arguments + ["--no-progress"], in: folder)
        return (run, PatternMatcher.costOfProcess - before)
    }

    /// Command lines, and how often each may search every value.
    static let rows: [Case<[String], Int>] = [
        // The search of everybody's values, and that of the device.
        Case("explain", ["@values.jsonl", "--account=@a.yaml", "--device=\(Sample.bob)"], gives: 2),
        Case("minimise", ["@values.jsonl", "--account=@a.yaml", "--change=filter -remove f"], gives: 1),
        Case("record", ["@values.jsonl", "--account=@a.yaml", "--output=@out.yaml"], gives: 1),
        Case("search", ["@values.jsonl", "--account=@a.yaml", "--reject=x~^a", "--timeout=5m"], gives: 2),
        Case("whatif", ["@flags.jsonl", "--account=@flags.yaml"], gives: 3),
    ]

    @Test("a command searches each value at most three times") func valuesAreSearchedOnce() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(SearchCostTests.files)
            for row in SearchCostTests.rows {
                let (replay, once) = SearchCostTests.cost(["replay"] + row.input.prefix(2), in: folder)
                #expect(replay.error.contains("match limit") && once > 0, "\(row)")
                let (run, cost) = SearchCostTests.cost([row.label] + row.input, in: folder)
                #expect(run.status != .usage, "\(run.error)")
                #expect(cost <= once * row.expected, "\(row): \(cost) of \(once)")
            }
        }
    }

    // To read alone would cost a search of each of 1500 values.
    @Test func aTimeLimitIsALimit() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(SearchCostTests.files)
            let (_, few) = SearchCostTests.cost(["replay", "@values.jsonl", "--account=@a.yaml"], in: folder)
            let (run, cost) = SearchCostTests.cost(
                ["search", "@many.jsonl", "--account=@a.yaml", "--reject=flag:rooted", "--timeout=1s"], in: folder)
            #expect(run.status == .notDecided)
            #expect(run.error == "scenario: error: not decided in 1 s\n")
            #expect(cost < few / 24 * 1500)
        }
    }

    // No match is not known to be none.
    @Test func aPatternOfAnExpressionThatIsGivenUpIsNoAnswer() throws {
        let run = ToolRun(
            "search @values.jsonl --account=@a.yaml --keep='x~\(Self.pattern)' --timeout=5m --no-progress",
            in: try TemporaryFolder(Self.files)
        ).ending(.notDecided)
        #expect(run.error.hasSuffix("scenario: error: not decided: a regex of an expression hit its match limit\n"))
    }
}
