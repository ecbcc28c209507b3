import Testing

@testable import TestSupport
@testable import scenario

/// `explain`: one device of a capture.
@Suite struct ExplainCommandTests {
    static let refused: [ToolRow] = [
        .usage(
            "no device", "explain @day.jsonl",
            "option `--device ID` is missing; it names the device whose decisions are explained"),
        .usage(
            "an ID that is none", "explain @day.jsonl --device bob",
            "`--device` takes a device ID, not `bob`; "
                + "22 characters of A–Z a–z 0–9 + / and then `==`, or a name such as device-zvfcnrj3cur4"),
        .usage(
            "the filtered policy is no device", "explain @day.jsonl --device ++FilteredSecPolicy++w==",
            "`--device` takes a device ID, not `++FilteredSecPolicy++w==`; "
                + "22 characters of A–Z a–z 0–9 + / and then `==`, or a name such as device-zvfcnrj3cur4"),
        ToolRow(
            name: "a device that is not there",
            arguments: "explain @day.jsonl --device ExampleApproovTokenDID==", status: .nothingRan,
            error: "scenario: error: the captures hold no attestation of device ExampleApproovTokenDID==\n"),
        ToolRow(
            name: "a missing account", arguments: "explain @day.jsonl --device \(Sample.bob) --account @missing",
            status: .invalidInput, error: "missing: error: no such file or directory\n"),
        ToolRow(
            name: "an empty capture", arguments: "explain @empty.jsonl --device \(Sample.bob)",
            status: .invalidInput, error: "empty.jsonl: error: the capture is empty\n"),
        ToolRow(
            name: "records out of order", arguments: "explain @disordered.jsonl --device \(Sample.bob)",
            status: .invalidInput,
            error: "disordered.jsonl:2: error: record of 2020-07-23T10:00:00Z after one of 2020-07-23T11:00:00Z\n"
                + "  hint: --sort puts records into the order of time\n"),
        ToolRow(
            name: "a change that is wrong", arguments: "explain @day.jsonl --device \(Sample.bob) --change polcy",
            status: .invalidInput, error: "--change: error: unknown command `polcy`\n  hint: did you mean `policy`?\n"),
    ]

    @Test(arguments: refused) func explainsNothing(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Sample.files)
    }

    private static func heads(_ output: String) -> [String] {
        output.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
    }

    @Test func severalAttestationsStandInTheOrderOfTime() throws {
        let run = try ToolRun("explain @day.jsonl --device \(Sample.bob)", files: Sample.files).ending(.success)
        #expect(run.error == "")
        #expect(
            Self.heads(run.output) == [
                "\(Sample.bob) 2020-07-23T10:00:00Z  fail under default,default,default",
                "\(Sample.bob) 2020-07-23T11:00:00Z  fail under default,default,default",
            ])
        // A blank line parts them.
        #expect(run.output.split(separator: "\n", omittingEmptySubsequences: false).count { $0.isEmpty } == 2)
        #expect(
            run.output.contains("\n   2  device       not seen before, so `new-did`\n                   observed: "))
        #expect(run.output.contains("\n   2  device       seen before\n                   observed: rooted\n"))
    }

    @Test func sortedAttestationsStandInTheOrderOfTimeToo() throws {
        let capture = Sample.disordered.replacing(Sample.amy, with: Sample.bob)
        let run = try ToolRun("explain @c.jsonl --sort --device \(Sample.bob)", files: ["c.jsonl": capture])
        #expect(
            Self.heads(run.output) == [
                "\(Sample.bob) 2020-07-23T10:00:00Z  fail under default,default,default",
                "\(Sample.bob) 2020-07-23T11:00:00Z  pass under default,default,default",
            ])
    }

    @Test func theChangesOfTheAccountCount() throws {
        let run = try ToolRun(
            [
                "explain", "@day.jsonl", "--device", Sample.bob, "--account=@account.yaml",
                "--change=policy -addRejectFlag rooted",
            ], files: Sample.files)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "\(Sample.bob) 2020-07-23T10:00:00Z  fail under default,custom,risk")
        #expect(lines.contains("   1  account      prod, policy default,custom,risk"))
        #expect(lines.contains("  10  verdict      fail: rooted"))
        #expect(lines.contains("      to pass, any of:"))
        #expect(lines.contains("        policy -removeRejectFlag rooted"))
    }

    @Test func whatNothingTurnsIsSaid() throws {
        let capture = #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","flags":"bad-hmac"}"# + "\n"
        let account = "devices: [{id: \(Sample.bob), policy: 'default,strict,default'}]\n"
        let run = try ToolRun(
            "explain @c.jsonl --account=@a.yaml --device \(Sample.bob)", files: ["c.jsonl": capture, "a.yaml": account])
        #expect(
            run.output.hasSuffix(
                """

                      no single change would make it pass
                      together, any of:
                        device -remove \(Sample.bob)  and  policy -removeRejectFlag bad-hmac

                """))
    }

    @Test func malformedRecordsRefuseTheInputUnlessSkipped() throws {
        let arguments = ["explain", "@malformed.jsonl", "--device", Sample.bob]
        #expect(try ToolRun(arguments, files: Sample.files).status == .invalidInput)
        let run = try ToolRun(arguments + ["--skip-malformed"], files: Sample.files).ending(.success)
        #expect(run.error.contains("malformed.jsonl:2: warning: "))
    }

    @Test func theTextGoesToAFile() throws {
        let folder = try TemporaryFolder(Sample.files)
        let arguments = ["explain", "@day.jsonl", "--device", Sample.bob]
        let printed = ToolRun(arguments, in: folder)
        let written = ToolRun(arguments + ["--output=@report"], in: folder)
        #expect(written.output == "")
        #expect(folder["report"] == printed.output)
    }

    @Test func hostileValuesMoveNothingOnATerminal() throws {
        let capture =
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","flags":"","ip":"a\u001b[2J\nb\u202e"}"#
            + "\n"
        let account = "filters: [{name: f, key: ip, match: x}]\n"
        let run = try ToolRun(
            "explain @c.jsonl --account=@a.yaml --device \(Sample.bob)", files: ["c.jsonl": capture, "a.yaml": account])
        #expect(run.output.contains("\n   7  filters      f: ip is a␛[2J␊b<U+202E>, which does not match\n"))
    }
}

/// `explain` of a scenario: the requests of one device (R19).
@Suite struct ExplainRequestTests {
    // R19 each step, and why the request was blocked: that report is a golden one.
    private static func scenario() throws -> String {
        try Transcript.file("s.yaml", of: "explain-requests", in: "reports/explain.txt")
    }
    private static func run(_ arguments: [String]) throws -> ToolRun {
        try ToolRun(["explain", "@s.yaml"] + arguments, files: ["s.yaml": scenario()])
    }

    @Test("R18.5 an app whose pinning is switched off") func compromised() throws {
        let scenario = """
            scenario: s
            account: {apis: [{domain: a.com, pins: [key:A]}]}
            backends: {a.com: {chain: [A, CA]}}
            devices: {bob: {id: \(Sample.bob), pinning: compromised}}
            steps:
              - {at: 0s, network: {group: bob, state: mitm, only: [a.com], trusted: true}}
              - {at: 1s, request: bob, to: a.com}

            """
        let run = try ToolRun("explain @s.yaml --device bob", files: ["s.yaml": scenario])
        #expect(run.output.contains("2020-01-01T00:00:01Z  intercepted  bob to a.com\n"))
        #expect(
            run.output.contains(
                """
                  pins           the host's own: A
                  connection     a proxy presents MITM, and the app's pinning is switched off, so it accepts any certificate

                """))
    }

    static let refused: [ToolRow] = [
        ToolRow(
            name: "a device that is not there", arguments: "explain @s.yaml --device DoYouReadThisText01234==",
            status: .nothingRan, error: "scenario: error: the scenario has no device DoYouReadThisText01234==\n"),
        .usage(
            "a misspelt group", "explain @s.yaml --device stok",
            "`--device` takes a device ID or a group, not `stok`; did you mean `stock`?"),
        .usage(
            "neither a device nor a group", "explain @s.yaml --device nobody",
            "`--device` takes a device ID or a group, not `nobody`; "
                + "22 characters of A–Z a–z 0–9 + / and then `==`, or a name such as device-zvfcnrj3cur4"),
        .usage(
            "two scenarios", "explain @s.yaml @s.yaml --device bob",
            "one scenario is explained at a time; "
                + "the devices of a scenario exist in that scenario only"),
    ]

    @Test(arguments: refused) func explainsNothing(_ row: ToolRow) throws {
        try row.expectNoOutput(files: ["s.yaml": Self.scenario()])
    }

    @Test("R19.5 the report counts requests by group, as text and as JSON") func report() throws {
        let text = try ToolRun("run @s.yaml --allow-empty", files: ["s.yaml": Self.scenario()])
        #expect(
            text.output.contains(
                """
                Requests
                  requests  accepted  refused  blocked  intercepted  not-sent  no-connection  devices blocked  still  longest
                  bob              1        0       13            0         2              0                1      1        –
                """))
        let json = try ToolRun("run @s.yaml --allow-empty --format json", files: ["s.yaml": Self.scenario()])
        #expect(
            json.output.contains(
                """
                "requests":[{"accepted":1,"blocked":13,"blocked-devices":1,"group":"bob","intercepted":0,\
                "longest-blocked":null,"no-connection":0,"not-sent":2,"refused":0,"still-blocked":1}]
                """))
    }

    private static let filter = "--change=filter -add f -key device-id -matchValue . -regex -reject"
    private static let unpinned = "the app does not connect without pins"
    private static let filtered = "the token is invalid: filter:f"

    /// Options, and parts of the explanations under them, which are not in those under the scenario's own account.
    static let placed: [Case<[String], [String]>] = [
        Case(["--account=@pinless.yaml"], gives: [unpinned]),
        Case([filter], gives: [filtered]),
        Case(["--account=@pinless.yaml", filter], gives: [unpinned, filtered]),
    ]

    @Test("options that put another account in place of the scenario's are honoured", arguments: placed)
    func anotherAccountIsExplained(_ row: Case<[String], [String]>) throws {
        let scenario = """
            scenario: s
            account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}]}
            backends: {a.com: {chain: [A, CA]}}
            devices: {bob: {id: \(Sample.bob), client: {unpinned: refuse}}}
            steps: [{at: 0s, request: bob, to: a.com}]

            """
        let files = ["s.yaml": scenario, "pinless.yaml": "{propagation: 0s, apis: [{domain: a.com}]}\n"]
        let own = try ToolRun("explain @s.yaml --device=bob", files: files)
        let run = try ToolRun(["explain", "@s.yaml", "--device=bob"] + row.input, files: files)
        #expect(own.status == .success && run.status == .success, "\(run.error)")
        for part in row.expected { #expect(run.output.contains(part) && !own.output.contains(part), "\(run.output)") }
    }

    @Test("a policy is honoured, a preset alone too", arguments: ["default,blacklist,default", "blacklist"])
    func anotherPolicyIsExplained(_ policy: String) throws {
        let own = try Self.run(["--device=bob"])
        let run = try Self.run(["--device=bob", "--policy=\(policy)"])
        #expect(own.output.contains("the token is valid"))
        #expect(run.status == .success && run.output.contains("the token is invalid"))
        #expect(!run.output.contains("the token is valid"))
    }

    @Test("of several accounts, none can be replaced, and that is said") func severalAccountsAreNotReplaced() throws {
        let several =
            "scenario: s\naccounts: {a: {account: a}, b: {account: b}}\n"
            + "devices: {bob: {account: a, id: \(Sample.bob)}}\nsteps: [{at: 0s, request: bob, to: a.com}]\n"
        for option in ["--policy=strict", "--change=policy -addRejectFlag rooted", "--account=new"] {
            let run = try ToolRun(["explain", "@s.yaml", "--device=bob", option], files: ["s.yaml": several])
            #expect(run.status == .invalidInput && run.output == "")
            #expect(run.error.contains("s.yaml: error: a scenario with several accounts is explained as it is"))
        }
    }
}

/// `explain` of a scenario: everything that a device meets.
@Suite struct ExplainScenarioTests {
    private static let bob = Sample.bob

    private static func run(_ arguments: [String]) throws -> ToolRun {
        try ToolRun(
            ["explain", "@s.yaml"] + arguments,
            files: ["s.yaml": Transcript.file("s.yaml", of: "explain-scenario", in: "reports/explain.txt")])
    }

    // The report itself, of every kind of step, is a golden one.
    @Test("R14.4, R19.1a, R19.7, R19.8, R20–R22 by its group it is the same device") func explains() throws {
        #expect(try Self.run(["--device", "bob"]).output == Self.run(["--device", Self.bob]).output)
    }

    @Test("a group is explained by its first device") func groups() throws {
        let run = try Self.run(["--device", "stock"]).ending(.success)
        let lines = run.output.split(separator: "\n").map(String.init)
        let headings = lines.filter { !$0.hasPrefix(" ") }.map { $0.replacing(/[A-Za-z0-9+\/]{22}==/, with: "ID") }
        let day = "2020-01-01T00:00"
        #expect(
            headings == [
                "ID \(day):09Z  stock launch", "\(day):15Z  outage primary", "\(day):16Z  approov",
                "ID \(day):18Z  stock factory-reset", "\(day):19Z  serve", "\(day):21Z  account cancelled",
            ])
        // The device that is reset has another ID.
        let ids = run.output.matches(of: /[A-Za-z0-9+\/]{22}==/).map { String($0.output) }
        #expect(Set(ids).count == 2)
        #expect(ids.first != ids.last)
    }

    @Test("without a device every group is explained, and what concerns everybody once") func everybody() throws {
        let run = try Self.run([]).ending(.success)
        let count = { (text: String) in run.output.split(separator: text, omittingEmptySubsequences: false).count - 1 }
        #expect(count("stock launch") == 1)
        #expect(count("bob launch") == 1)
        #expect(count("outage primary") == 1)
    }

    @Test("requests and events as JSON") func json() throws {
        let output = try Self.run(["--device", "bob", "--format", "json"]).output
        #expect(
            output.hasPrefix(
                """
                {"version":1,"requests":[{"device":"\(Self.bob)","first":"2020-01-01T00:00:12Z","group":"bob",\
                "last":"2020-01-01T00:00:12Z","outcome":"refused","requests":1,"steps":[{"line":"plain HTTP carries \
                none, and no pins apply to it","name":"token","rule":"R19.7"},
                """))
        #expect(
            output.contains(
                """
                {"device":"\(Self.bob)","event":"launch","first":"2020-01-01T00:00:08Z","group":"bob",\
                "last":"2020-01-01T00:00:08Z","steps":[{"line":"the app starts again: the token in memory is gone, and the \
                app loads the configuration that it stored","name":"app","rule":"R14.1"}],"times":1}
                """))
        #expect(
            output.contains(
                """
                {"event":"outage","first":"2020-01-01T00:00:15Z","last":"2020-01-01T00:00:15Z","steps":[
                """))
    }
}
