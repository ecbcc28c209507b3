import Foundation
import Testing

@testable import TestSupport
@testable import scenario

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

    private static let oneAccount = "a capture cannot be generated from a scenario with several accounts"
    private static let least = "`--duration` takes a time of a second or more such as `1h30m`, not"

    static let refused: [ToolRow] = [
        .usage("no scenario", "generate", "`SCENARIO` is missing; `--help` shows how it is used"),
        .usage("two scenarios", "generate a.yaml b.yaml", "unexpected argument `b.yaml`"),
        .usage(
            "no attestation", "generate @population.yaml --events 0",
            "option `--events` takes a whole number, 1 through 1000000000000, not `0`"),
        .usage(
            "millions", "generate @population.yaml --events 5M",
            "option `--events` takes a whole number, 1 through 1000000000000, not `5M`; write `5000000`"),
        .usage(
            "as reports write it", "generate @population.yaml --events 5,000,000",
            "option `--events` takes a whole number, 1 through 1000000000000, not `5,000,000`; write `5000000`"),
        .usage("no time", "generate @population.yaml --duration 0s", "\(least) `0s`"),
        .usage(
            "a time without unit", "generate @population.yaml --duration 90", "\(least) `90`; give `90` a unit: `90s`"),
        .usage(
            "a day for an instant", "generate @population.yaml --start 2020-07-23",
            "`--start` takes an instant such as `2020-07-23T00:00:00Z`, not `2020-07-23`"),
        .usage(
            "unknown form", "generate @population.yaml --format json",
            "option `--format` does not know `json`; did you mean `jsonl`?"),
        .usage(
            "the scenario for the capture", "generate @population.yaml --output @population.yaml",
            "`--output` would overwrite `population.yaml`, which is read"),
        .invalid("missing scenario", "generate @missing.yaml", "missing.yaml: error: no such file or directory"),
        .invalid(
            "several accounts", "generate @two.yaml",
            "two.yaml: error: \(oneAccount)\n  hint: a capture is one of a single account"),
        ToolRow(
            name: "no devices", arguments: "generate @nobody.yaml", status: .nothingRan,
            error: "nobody.yaml: error: the scenario has no devices\n"),
        .invalid(
            "nobody awake", "generate @dark.yaml --start 2020-07-23T01:00:00Z --duration 23h",
            "dark.yaml: error: no device attests in that time: all weights of `rhythm` are 0 there\n"
                + "  hint: the hours of `rhythm` are those of UTC"),
        .invalid(
            "beyond the calendar", "generate @population.yaml --start 9999-12-31T12:00:00Z",
            "population.yaml: error: the capture would go beyond the year 9999"),
        .invalid(
            "output that cannot be written", "generate @population.yaml --output @no/capture",
            "no/capture: error: no such file or directory"),
        .invalid(
            "a full disk", "generate @population.yaml --output /dev/full", "/dev/full: error: no space left on device"),
    ]

    @Test(arguments: refused) func writesNothing(_ row: ToolRow) throws {
        let folder = try TemporaryFolder(Self.files)
        let before = folder.names
        let run = ToolRun(row.arguments.list, in: folder)
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

    @Test(arguments: [("a.jsonl", "{"), ("a.NDJSON", "{"), ("a.json", "{"), ("a.txt", "---"), ("a", "---")])
    func theEndingSaysTheForm(_ name: String, begins start: String) throws {
        let folder = try TemporaryFolder(Self.files)
        #expect(ToolRun("generate @population.yaml --output=@\(name)", in: folder).status == .success)
        #expect(folder[name]?.hasPrefix(start) == true)
        #expect(ToolRun("generate @population.yaml --output=@\(name) --format=info", in: folder).status == .success)
        #expect(folder[name]?.hasPrefix("---") == true)
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
            ToolRun(["replay", "@capture", "--account", "@prod.yaml", "--format", "json", "--jobs", jobs], in: folder)
        }
        let run = replay("1").ending(.success)
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
