import Foundation
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
        ["pack", "c.jsonl", "--plain", "--output", "out"],
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

/// Runs of a process that may take a limited amount of memory.
@Suite struct MemoryLimitTests {
    // AddressSanitizer takes terabytes of address space for itself, so that no limit is one.
    private static let isSanitized = unsafe dlsym(nil, "__asan_init") != nil

    /// Limits of the address space in MiB, from what suffices to start, but not for the work, to what suffices.
    static let limits = isSanitized ? [Int.max >> 20] : [70, 118, 2000]

    private static let count = 60_000

    private static let files: [String: String] = [
        "c.jsonl": (0..<count).map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DeviceID(first: 0, second: UInt64(number)))","flags":"","x":"\#(number)"}"#
                + "\n"
        }.joined(),
        "s.yaml": "scenario: s\ndevices:\n  crowd: {count: \(count), os: ios}\nsteps:\n"
            + "  - {at: 0s, fetch: all, expect: [{verdict: pass}]}\n",
    ]

    static let commands = [
        ["replay", "c.jsonl", "--jobs", "1", "--decisions", "out"],
        ["diff", "c.jsonl", "--account=new", "--policy", "default,default,default", "--jobs", "1", "--output", "out"],
        ["run", "s.yaml", "--jobs", "1", "--output", "out"],
    ]

    @Test("it is enough, or a message says so", arguments: commands) func endsWithAMessage(command: [String]) throws {
        let folder = try TemporaryFolder(Self.files)
        let before = ToolProcess.names(in: folder)
        var statuses: [Int32] = []
        for limit in Self.limits {
            let run = try ToolProcess(
                command, in: folder, by: ["prlimit", "--as=\(limit << 20)", "--"], output: "/dev/null")
            let end = run.end()
            statuses.append(end.status)
            if end.status == 0 { continue }
            #expect(end.status == scenario.ExitStatus.outOfMemory.rawValue, "\(limit) MB: \(end.error)")
            #expect(end.error.contains("scenario: error: there is not enough memory\n"), "\(limit) MB")
            // A file that a larger process wrote stays as it was.
            #expect(ToolProcess.names(in: folder).filter { $0 != "out" } == before, "\(limit) MB")
        }
        #expect(statuses.last == 0)
        #expect(Self.isSanitized || statuses.first == scenario.ExitStatus.outOfMemory.rawValue)
    }
}
