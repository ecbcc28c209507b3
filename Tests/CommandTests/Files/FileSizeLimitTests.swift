import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// Files that may not grow further, as under `ulimit -f`: a write that fails like any other.
@Suite struct FileSizeLimitTests {
    private static let count = 3000

    private static let files: [String: String] = [
        "c.jsonl": (0..<count).map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DeviceID(first: 0, second: UInt64(number)))","flags":""}"#
                + "\n"
        }.joined(),
        "s.yaml": """
        scenario: s
        devices: {crowd: {count: \(count), os: ios}}
        steps:
          - {at: 0s, fetch: all, expect: {verdict: pass}}
          - {at: 1s, approov: filter -list, every: 1s, until: 1h}

        """,
        "a.yaml": "account: prod\npolicy: default,default,default\nfilters:\n"
            + (0..<20).map { "  - {name: f\($0), key: k, match: \(String(repeating: "x", count: 300))}\n" }.joined(),
    ]

    static let commands = [
        ["replay", "c.jsonl", "--decisions", "out"],
        ["replay", "c.jsonl", "--series", "--format", "html", "--output", "out"],
        [
            "diff", "c.jsonl", "--account", "new", "--policy", "default,blacklist,default", "--format", "html",
            "--output",
            "out",
        ],
        ["run", "s.yaml", "--decisions", "out"], ["run", "s.yaml", "--format", "html", "--output", "out"],
        ["generate", "s.yaml", "--events", "3000", "--start", "2020-07-23T10:00:00Z", "--output", "out"],
        ["split", "c.jsonl", "--shards", "4", "--output", "out"],
        ["approov", "--account", "a.yaml", "--yes", "policy", "-set", "default,strict,default"],
    ]

    @Test(arguments: commands) func nothingUnfinishedIsLeft(command: [String]) throws {
        let folder = try TemporaryFolder(Self.files)
        let before = (ToolProcess.names(in: folder), folder["a.yaml"])
        let run = try ToolProcess(command, in: folder, by: ["prlimit", "--fsize=4096", "--"], output: "/dev/null")
        let end = run.end()
        #expect(end.status == scenario.ExitStatus.invalidInput.rawValue, "\(end.error)")
        #expect(end.error.contains("file too large"), "\(end.error)")
        #expect(ToolProcess.names(in: folder) == before.0 && folder["a.yaml"] == before.1)
    }
}
