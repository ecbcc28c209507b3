import Testing

@testable import TestSupport
@testable import scenario

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite struct GenerateCommandTests {
    private static let population = """
        scenario: Population
        seed: 5
        start: 2020-07-23T00:00:00Z
        account: {account: prod, policy: "default,allow-root,risk"}
        activity: {zipf: 1, rhythm: day}
        devices:
          stock: {count: 90, flag-rates: {rooted: 20%, xposed: 10%}}
          bob: {id: \(Sample.bob), os: ios}

        """
    private static let dark = "activity: {rhythm: [1\(String(repeating: ", 0", count: 23))]}\n"
    private static let files = Sample.files.merging([
        "population.yaml": population, "dark.yaml": "scenario: Dark\n\(dark)devices: {bob: {}}\n",
        "two.yaml": "scenario: Two\naccounts: {a: {}, b: {}}\ndevices: {bob: {account: a}}\n",
        "nobody.yaml": "scenario: Nobody\n",
    ]) { first, _ in first }

    private static let oneAccount = "a scenario with several accounts cannot be generated from"
    private static let least = "`--duration` takes a time of a second or more such as `1h30m`, not"

    static let refused = [
        ToolRow(
            name: "no scenario", arguments: ["generate"], status: .usage,
            error: "scenario: error: `SCENARIO` is missing; `--help` shows how it is used\n"),
        ToolRow(
            name: "two scenarios", arguments: ["generate", "a.yaml", "b.yaml"], status: .usage,
            error: "scenario: error: unexpected argument `b.yaml`\n"),
        ToolRow(
            name: "no attestation", arguments: ["generate", "@population.yaml", "--events", "0"], status: .usage,
            error: "scenario: error: option `--events` takes a whole number, 1 through 1000000000000, not `0`\n"),
        ToolRow(
            name: "no time", arguments: ["generate", "@population.yaml", "--duration", "0s"], status: .usage,
            error: "scenario: error: \(least) `0s`\n"),
        ToolRow(
            name: "a time without unit", arguments: ["generate", "@population.yaml", "--duration", "90"],
            status: .usage, error: "scenario: error: \(least) `90`; give `90` a unit: `90s`\n"),
        ToolRow(
            name: "a day for an instant", arguments: ["generate", "@population.yaml", "--start", "2020-07-23"],
            status: .usage,
            error: "scenario: error: `--start` takes an instant such as `2020-07-23T00:00:00Z`, not `2020-07-23`\n"),
        ToolRow(
            name: "unknown form", arguments: ["generate", "@population.yaml", "--format", "json"], status: .usage,
            error: "scenario: error: option `--format` does not know `json`; did you mean `jsonl`?\n"),
        ToolRow(
            name: "the scenario for the capture",
            arguments: ["generate", "@population.yaml", "--output", "@population.yaml"], status: .usage,
            error: "scenario: error: `--output` would overwrite `population.yaml`, which is read\n"),
        ToolRow(
            name: "missing scenario", arguments: ["generate", "@missing.yaml"], status: .invalidInput,
            error: "missing.yaml: error: no such file or directory\n"),
        ToolRow(
            name: "several accounts", arguments: ["generate", "@two.yaml"], status: .invalidInput,
            error: "two.yaml: error: \(oneAccount)\n  hint: a capture is one of a single account\n"),
        ToolRow(
            name: "no devices", arguments: ["generate", "@nobody.yaml"], status: .nothingRan,
            error: "nobody.yaml: error: the scenario has no devices\n"),
        ToolRow(
            name: "nobody awake",
            arguments: ["generate", "@dark.yaml", "--start", "2020-07-23T01:00:00Z", "--duration", "23h"],
            status: .invalidInput,
            error: "dark.yaml: error: nobody attests in that time: `rhythm` has nothing but 0 there\n"
                + "  hint: the hours of `rhythm` are those of UTC\n"),
        ToolRow(
            name: "beyond the calendar",
            arguments: ["generate", "@population.yaml", "--start", "9999-12-31T12:00:00Z"], status: .invalidInput,
            error: "population.yaml: error: the capture would go beyond the year 9999\n"),
        ToolRow(
            name: "output that cannot be written",
            arguments: ["generate", "@population.yaml", "--output", "@no/capture"], status: .invalidInput,
            error: "no/capture: error: no such file or directory\n"),
        ToolRow(
            name: "a full disk", arguments: ["generate", "@population.yaml", "--output", "/dev/full"],
            status: .invalidInput, error: "/dev/full: error: no space left on device\n"),
    ]

    @Test(arguments: refused) func writesNothing(_ row: ToolRow) throws {
        let folder = try TemporaryFolder(Self.files)
        let before = folder.names
        let run = ToolRun(row.arguments, in: folder)
        row.expectNoOutput(of: run)
        #expect(folder.names == before)
        #expect(folder["population.yaml"] == Self.population)
    }

    private static func generate(_ arguments: String..., in folder: TemporaryFolder) throws -> String {
        let run = ToolRun(["generate", "@population.yaml", "--output", "@capture"] + arguments, in: folder)
        #expect(run.status == .success)
        #expect(run.error == "")
        #expect(run.output == "")
        return try #require(folder["capture"])
    }

    @Test func asManyAsThereAreDevices() throws {
        let capture = try Self.generate("--format", "jsonl", in: TemporaryFolder(Self.files))
        #expect(capture.split(separator: "\n").count == 91)
        #expect(!capture.contains("rejection-flags"))
    }

    @Test func optionsSayWhatIsWritten() throws {
        let folder = try TemporaryFolder(Self.files)
        let lines = try Self.generate(
            "--events=7", "--format=jsonl", "--start=2021-01-01T05:00:00+05:00", "--duration=1m", "--verdicts",
            in: folder
        ).split(separator: "\n")
        #expect(lines.count == 7)
        #expect(lines.allSatisfy { $0.hasPrefix(#"{"time":"2021-01-01T00:00:"#) && $0.contains("rejection-flags") })
        let other = try Self.generate("--events=7", "--format=jsonl", "--seed=6", in: folder)
        #expect(try other != Self.generate("--events=7", "--format=jsonl", in: folder))
        #expect(try other == Self.generate("--events=7", "--format=jsonl", "--seed=6", in: folder))
    }

    // A generated capture is replayed to the account's own decisions, on any number of threads.
    @Test(arguments: ["info", "jsonl"]) func aReplayAgrees(_ format: String) throws {
        let folder = try TemporaryFolder(Self.files)
        try folder.write("account: prod\npolicy: default,allow-root,risk\n", to: "prod.yaml")
        _ = try Self.generate("--events=2000", "--format", format, "--verdicts", in: folder)
        func replay(_ jobs: String) -> ToolRun {
            ToolRun(
                ["replay", "@capture", "--account", "@prod.yaml", "--format", "json", "--jobs", jobs], in: folder)
        }
        let run = replay("1")
        #expect(run.status == .success)
        #expect(run.error == "")
        let report = try JSONText(run.output)
        #expect(report.integer("reproduced", "compared") == 2000)
        #expect(report.integer("reproduced", "agreed") == 2000)
        #expect(replay("4").output == run.output)
    }

    @Test func aReaderThatHasEnoughIsNoFailure() throws {
        var ends: [Int32] = [0, 0]
        let isOpen = unsafe pipe(&ends) == 0
        try #require(isOpen)
        close(ends[0])
        defer { close(ends[1]) }
        let run = ToolRun(
            ["generate", "@population.yaml", "--events", "10000", "--output", "/dev/fd/\(ends[1])"],
            in: try TemporaryFolder(Self.files))
        #expect(run.status == .success)
        #expect(run.error == "")
    }

    @Test func stepsAndExpectationsAreLeftAlone() throws {
        let folder = try TemporaryFolder(Self.files)
        let plain = try Self.generate("--events=50", in: folder)
        let steps =
            "steps: [{at: 0s, approov: device -clearDeviceState}, {at: 1s, fetch: bob, expect: {verdict: fail}}]\n"
        try folder.write(Self.population + steps, to: "population.yaml")
        #expect(try Self.generate("--events=50", in: folder) == plain)
    }
}
