import Testing

@testable import scenario

/// `rollout`: the forms of its report, its exit statuses, and what it refuses.
///
/// The figures are worked out by hand. All of the eight devices attest each minute from 10:00 to 10:03, half of them rooted. With
/// 100 % at 10:01, the policy is in force at 10:01:30 (R1.5): four devices fail at 10:02 and at 10:03.
@Suite struct RolloutCommandTests {
    private static let devices = (0..<8).map { number in
        "\(Array("ABCDEFGH")[number])AAAAAAAAAAAAAAAAAAAAA=="
    }
    private static let day = (0..<4).flatMap { (minute: Int) -> [String] in
        devices.enumerated().map { (number, device) -> String in
            let flags = number % 2 == 0 ? "rooted" : ""
            return #"{"time":"2026-03-02T10:0\#(minute):00Z","device-id":"\#(device)","ip":"10.0.0.\#(number)","#
                + #""public-flags":"\#(flags)"}"# + "\n"
        }
    }.joined()
    // The label of a device, and another one of its address.
    private static let across = """
        {"device-id":"\(devices[1])","label":"good"}
        {"ip":"10.0.0.2","label":"good"}
        {"ip":"10.0.0.1","label":"bad"}

        """
    private static let files = Sample.files.merging([
        "eight.jsonl": day,
        "shop.yaml": "account: shop\nrules: [trial]\npolicy: default,allow-root,default\n",
        "labels.csv": "device-id,label\n\(devices[0]),bad\n\(devices[1]),bad\n\(devices[2]),good\n\(devices[3]),good\n"
            + "\(devices[4]),\nZZZZZZZZZZZZZZZZZZZZZZ==,bad\n",
        "against.csv": "device-id,label\n\(devices[0]),bad\n\(devices[0]),good\n",
        "across.jsonl": across,
        "bare.yaml": "account: shop\npolicy: default,allow-root,default\n",
    ]) { $1 }
    private static let all: [String] = [
        "rollout", "@eight.jsonl", "--account=@shop.yaml", "--policy=default,default,default", "--steps=100%",
        "--at=1m",
    ]

    private static func run(_ more: String..., from words: [String] = all) throws -> ToolRun {
        try ToolRun(words + more, files: files)
    }

    @Test func textHasFiguresAndCommands() throws {
        let run = try Self.run().ending(.success)
        #expect(
            run.output == """
                4 of 8 devices (50.0 %) would newly be rejected by the end of the rollout

                Steps
                  the figures are of this capture and of the devices that the account samples on its days; other days sample others
                  step   from                  devices met so far    share  newly rejected so far  newly accepted so far  fetches lost so far  a difference is
                  100 %  2026-03-02T10:01:00Z                   8  100.0 %                      4                      0                    8  not tested: there are no other devices

                Commands
                      100 % at 2026-03-02T10:01:00Z:
                        approov policy -set default,default,default

                """)
    }

    @Test func jsonHasTheFigures() throws {
        let run = try Self.run("--format=json")
        #expect(
            run.output == #"{"version":1,"policy":"default,default,default","filtered-policy":null,"#
                + #""start":"2026-03-02T10:01:00Z","end":"2026-03-02T10:03:00Z","attestations":32,"devices":8,"#
                + #""unjudged-devices":0,"runs":200,"seed":"1","noticed":null,"steps":[{"percent":"100","#
                + #""start":"2026-03-02T10:01:00Z","seconds":null,"reached":true,"#
                + #""commands":["approov policy -set default,default,default"],"attestations":16,"met-devices":8,"#
                + #""newly-rejected-devices":4,"newly-accepted-devices":0,"lost-fetches":8,"noticed":null}]}"# + "\n")
    }

    @Test func rowsHaveTheFigures() throws {
        let run = try Self.run("--format=csv")
        #expect(
            run.output == "percent,start,reached,events,met-devices,newly-rejected-devices,newly-accepted-devices,"
                + "lost-fetches,noticed-runs,noticed-seconds\r\n100,2026-03-02T10:01:00Z,true,16,8,4,0,8,,\r\n")
    }

    // Of the rooted devices, A is bad, C is good, and E and G are unknown. Without the rollout, A and B are missed on a day: 80.
    // With it, B is missed, C blocked, and E and G are rejected: 40 + 6 + 2.
    private static let labelled = all + ["--labels=@labels.csv", "--cost=missed=40,blocked=6,rejected-unknown=1"]

    @Test func labelsSayWhichDevicesAreFoundWrong() throws {
        let json = try Self.run("--format=json", from: Self.labelled).ending(.success)
        #expect(
            json.output.contains(#""labels":{"newly-rejected":{"bad":1,"good":1,"unknown":2},"cost":48,"saves":32}"#))
        #expect(json.output.contains(#""labels":{"labels":5,"unmatched":[{"#), "\(json.output)")
        let text = try Self.run(from: Self.labelled).output
        #expect(
            text.contains("4 of 8 devices (50.0 %) would newly be rejected by the end of the rollout, 1 of them good\n")
        )
        #expect(text.contains("1 of 5 labels fits no record: device-id ZZZZZZZZZZZZZZZZZZZZZZ== (line 7)"), "\(text)")
        #expect(
            text.contains(
                "newly rejected so far  bad ones of these  good ones of these  unknown ones of these  saved so far"))
        let rows = try Self.run("--format=csv", from: Self.labelled).output
        #expect(
            rows.contains(",newly-rejected-bad,newly-rejected-good,newly-rejected-unknown,cost,saves\r\n")
                && rows.hasSuffix(",16,8,4,0,8,,,1,1,2,48,32\r\n"), "\(rows)")
        let page = try Self.run("--format=html", from: Self.labelled).output
        // The last step has no other devices to be tested against; each figure is below its title all the same.
        let steps = try #require(page.split(separator: "<table").first { $0.contains("good ones of these") })
        let cells = steps.split(separator: "<tr").dropFirst().map { row in
            row.matches(of: /<t[hd][^>]*>([^<]*)/).map { String($0.output.1) }
        }
        let titles = try #require(cells.first)
        let last = Dictionary(uniqueKeysWithValues: zip(titles, try #require(cells.last)))
        let kinds = ["bad", "good", "unknown"].map { last["\($0) ones of these"] }
        #expect(cells.count == 2 && kinds == ["1", "1", "2"] && last["saved so far"] == "32", "\(cells)")
    }

    @Test func labelsThatContradictEachOtherAreRefused() throws {
        let run = try Self.run("--labels=@against.csv")
        #expect(run.status == .invalidInput && run.output.isEmpty)
        #expect(run.error.hasPrefix("against.csv:3:1: error: the label contradicts that of line 2"), "\(run.error)")
    }

    /// Labels of two attributes contradict each other if one device shows both values: of a device, a rollout counts one label.
    @Test func labelsOfTwoAttributesThatContradictEachOtherAreRefused() throws {
        let run = try Self.run("--labels=@across.jsonl")
        #expect(run.status == .invalidInput && run.output.isEmpty)
        #expect(
            run.error.hasPrefix(
                "across.jsonl:3: error: the labels of lines 1 and 3 contradict each other: one says bad and the other good of "
                    + "device \(Self.devices[1])\n"), "\(run.error)")
        // The other commands say the same.
        let replay = try ToolRun(
            ["replay", "@eight.jsonl", "--account=@shop.yaml", "--labels=@across.jsonl"], files: Self.files)
        #expect(replay.status == .invalidInput && replay.error == run.error)
    }

    private static let sampling = [
        "rollout", "@eight.jsonl", "--account=@shop.yaml", "--change=policy -set default,default,default",
        "--steps=99.9%:1m,100%", "--runs=20", "--seed=7",
    ]

    /// Of eight devices 99.9 % are all of them, but once in 125 runs. The rooted ones fail at 10:01, all at the same time.
    @Test func sampledStepsHaveTheTimeUntilTheyAreNoticed() throws {
        let run = try Self.run("--format=json", from: Self.sampling).ending(.success)
        // Of failing devices nearly all are sampled also without an effect, so that nothing is noticed.
        #expect(run.output.contains(#""runs":20,"seed":"7","noticed":{"runs":0,"percent":90,"seconds":null}"#))
        #expect(run.output.contains(#""met-devices":8,"newly-rejected-devices":4,"newly-accepted-devices":0"#))
    }

    @Test(arguments: ["text", "json", "markdown", "html", "csv"]) func jobsDoNotMatter(_ form: String) throws {
        let runs = try ["1", "3"].map { try Self.run("--format=\(form)", "--jobs=\($0)", from: Self.sampling).output }
        #expect(runs[0] == runs[1] && !runs[0].isEmpty)
    }

    @Test func markdownIsATable() throws {
        let run = try Self.run("--format=markdown", from: Self.sampling)
        #expect(run.output.contains("### Steps\n"))
        #expect(run.output.contains("| 99.9 % | 2026-03-02T10:00:00Z | 8 | 100.0 % | 4 |"))
        #expect(run.output.contains("approov filter -setSamplingPercentage 99.9"))
    }

    @Test func aPageHasPlots() throws {
        let run = try Self.run("--format=html", from: Self.sampling)
        #expect(run.output.contains("<h1>shop: rollout of default,<wbr>default,<wbr>default in 2 steps"))
        // From 10:00 to 10:03.
        #expect(run.output.contains("<p>2 March 2026, 10–11 UTC · 8 devices</p>"))
        // Commands are what is typed.
        let words = run.output.replacing(#/<[^>]*>/#, with: "")
        #expect(words.contains("approov filter -setSamplingPercentage 99.9\n"))
        #expect(run.output.contains("share of devices that met the change so far"))
        #expect(run.output.contains("<svg"))
    }

    /// A step that comes after the capture has no figures.
    @Test func stepsBeyondTheCaptureAreSaid() throws {
        var words = Self.sampling
        words[4] = "--steps=99.9%:1h,100%"
        let run = try Self.run(from: words).ending(.success)
        #expect(run.output.contains("the capture ends at 2026-03-02T10:03:00Z, before the step of 100 %"))
        #expect(run.output.contains("100 %   2026-03-02T11:00:00Z"))
    }

    static let refused: [ToolRow] = [
        .usage(
            "labels of a scenario",
            "rollout @good.yaml --policy=default,default,default --steps=100% --labels=@labels.csv",
            "`--labels` is for captures, and a scenario is evaluated; the groups of a scenario say what its devices are"
        ),
        .usage(
            "costs without labels",
            "rollout @eight.jsonl --account=@shop.yaml --policy=default,default,default --cost=missed=1,blocked=1",
            "`--cost` needs `--labels`"),
        .usage(
            "no steps", "rollout @eight.jsonl --account=@shop.yaml --policy=default,default,default",
            "option `--steps STEPS` is missing; such as `--steps 1%:6h,10%:1d,100%`"),
        .usage(
            "wrong steps", "rollout @eight.jsonl --account=@shop.yaml --policy=default,default,default --steps=5%,1%",
            "`--steps`: `5%` is not the last step, so it needs a duration, such as `1%:6h`"),
        .usage(
            "no account", "rollout @eight.jsonl --policy=default,default,default --steps=100%",
            "option `--account FILE` is missing; `--account new` is a new account"),
        .usage(
            "two scenarios", "rollout @good.yaml @fails.yaml --policy=default,default,default --steps=100%",
            "a scenario is evaluated alone; captures may be many"),
        .invalid(
            "no other rules",
            "rollout @eight.jsonl --account=@bare.yaml --policy=default,default,default --steps=1%:6h,100%",
            "rollout: error: a filtered policy has an effect only under rules other than `default` (R7.3), and the account "
                + "has no others\n  hint: the service's support sets up rules; `rules: [NAME]` declares them in the account "
                + "file"),
        .invalid(
            "no attestation", "rollout @empty.jsonl --account=@shop.yaml --policy=default,default,default --steps=100%",
            "empty.jsonl: error: the capture is empty"),
        ToolRow(
            name: "nobody meets it",
            arguments:
                "rollout @eight.jsonl --account=@shop.yaml --policy=default,default,default --steps=100% --at=1h",
            status: .nothingRan, error: "scenario: error: nothing was evaluated: no device met the change\n"),
    ]

    @Test(arguments: refused) func isRefused(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Self.files)
    }
}
