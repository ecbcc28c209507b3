import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// `--output` more than once, and forms by the endings of files.
@Suite struct SeveralOutputTests {
    private static let diff: Words =
        "diff @three.jsonl --account=@plain.yaml --candidate=@root.yaml --max-newly-accepted=0"

    /// Command lines, and the endings of their forms.
    static let commands: [Case<Words, [String: String]>] = [
        Case(
            diff,
            gives: [
                "txt": "text", "json": "json", "md": "markdown", "html": "html", "csv": "csv", "xml": "junit",
                "sarif": "sarif", "other": "text",
            ]),
        Case(
            "run @fails.yaml",
            gives: ["json": "json", "html": "html", "xml": "junit", "tap": "tap", "prom": "openmetrics", "txt": "text"]),
        Case("replay @day.txt", gives: ["json": "json", "csv": "csv", "prom": "openmetrics", "mbox": "summary-mail"]),
        Case("whatif @three.jsonl --account=@plain.yaml", gives: ["json": "json", "csv": "csv", "html": "html"]),
    ]

    @Test(arguments: commands) func eachFileHasTheFormOfItsEnding(_ row: Case<Words, [String: String]>) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let endings = row.expected.keys.sorted()
        let together = ToolRun(row.input.list + endings.map { "--output=@all.\($0)" }, in: folder)
        expect(together.output, equals: "")
        for ending in endings {
            let form = try #require(row.expected[ending])
            let alone = ToolRun(row.input.list + ["--format=\(form)", "--output=@alone"], in: folder)
            #expect(alone.status == together.status && alone.error == together.error)
            expect(folder["all.\(ending)"], equals: folder["alone"], "\(ending)")
            _ = ToolRun(row.input.list + ["--output=@single.\(ending)"], in: folder)
            expect(folder["single.\(ending)"], equals: folder["alone"], "\(ending)")
        }
    }

    @Test(arguments: [("gz", "gzip"), ("zst", "zstd")]) func anEndingCompresses(_ ending: String, _ program: String)
        throws
    {
        let folder = try TemporaryFolder(DiffSample.files)
        _ = ToolRun(
            Self.diff.list + ["-o", "@a.json", "-o", "@b.json.\(ending)", "-o", "@c.JSON.\(ending)"], in: folder)
        for name in ["b.json.\(ending)", "c.JSON.\(ending)"] {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [program, "-dc", folder.path(name)]
            process.standardOutput = output
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && String(decoding: data, as: UTF8.self) == folder["a.json"])
        }
    }
}

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

    static let commands: [Words] = [
        "replay c.jsonl --decisions out",
        "replay c.jsonl --series --format html --output out",
        "diff c.jsonl --account new --policy default,blacklist,default --format html --output out",
        "run s.yaml --decisions out", "run s.yaml --format html --output out",
        "generate s.yaml --events 3000 --start 2020-07-23T10:00:00Z --output out",
        "split c.jsonl --shards 4 --output out",
        "pack c.jsonl --plain --output out",
        "approov --account a.yaml --yes policy -set default,strict,default",
    ]

    @Test(arguments: commands) func nothingUnfinishedIsLeft(command: Words) throws {
        let folder = try TemporaryFolder(Self.files)
        let before = (ToolProcess.names(in: folder), folder["a.yaml"])
        let run = try ToolProcess(command.list, in: folder, by: ["prlimit", "--fsize=4096", "--"], output: "/dev/null")
        let end = run.end()
        expect(end.status, equals: scenario.ExitStatus.invalidInput.rawValue, "\(end.error)")
        #expect(end.error.contains("file too large"), "\(end.error)")
        #expect(ToolProcess.names(in: folder) == before.0 && folder["a.yaml"] == before.1)
    }
}

/// Runs of a process that may take a limited amount of memory.
@Suite struct MemoryLimitTests {
    // AddressSanitizer takes terabytes of address space for itself, so that no limit is one.
    private static let isSanitized = unsafe dlsym(nil, "__asan_init") != nil

    /// Limits of the address space in MiB, from what suffices to start, but not for the work, to what suffices.
    static let limits = isSanitized ? [Int.max >> 20] : [58, 118, 2000]

    private static let count = 60_000

    private static let files: [String: String] = [
        "c.jsonl": (0..<count).map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DeviceID(first: 0, second: UInt64(number)))","flags":"","x":"\#(number)"}"#
                + "\n"
        }.joined(),
        "s.yaml": "scenario: s\ndevices:\n  crowd: {count: \(count), os: ios}\nsteps:\n"
            + "  - {at: 0s, fetch: all, expect: [{verdict: pass}]}\n",
    ]

    static let commands: [Words] = [
        "replay c.jsonl --jobs 1 --decisions out",
        "diff c.jsonl --account=new --policy default,default,default --jobs 1 --output out",
        "run s.yaml --jobs 1 --output out",
        "replay c.jsonl --jobs 2 --decisions out",
        "whatif c.jsonl --account=new --jobs 2 --output out",
        "run s.yaml s.yaml --jobs 2 --output out",
    ]

    @Test("it is enough, or a message says so", arguments: commands) func endsWithAMessage(command: Words) throws {
        let folder = try TemporaryFolder(Self.files)
        let before = ToolProcess.names(in: folder)
        var statuses: [Int32] = []
        for limit in Self.limits {
            let run = try ToolProcess(
                command.list, in: folder, by: ["prlimit", "--as=\(limit << 20)", "--"], output: "/dev/null")
            let end = run.end()
            statuses.append(end.status)
            if end.status == 0 { continue }
            expect(end.status, equals: scenario.ExitStatus.outOfMemory.rawValue, "\(limit) MB: \(end.error)")
            #expect(end.error.contains("scenario: error: there is not enough memory"), "\(limit) MB")
            // A file that a larger process wrote stays as it was.
            expect(ToolProcess.names(in: folder).filter { $0 != "out" }, equals: before, "\(limit) MB")
        }
        expect(statuses.last, equals: 0)
        #expect(Self.isSanitized || statuses.first == scenario.ExitStatus.outOfMemory.rawValue)
    }

    @Test("a thread that the system does not give ends the process, and is not waited for", arguments: [1, 2])
    func withoutThreads(jobs: Int) throws {
        let folder = try TemporaryFolder(["c.jsonl": Sample.day])
        // A thread gets a stack as large as this, for which there is no room; one worker needs none.
        let run = try ToolProcess(
            ["replay", "c.jsonl", "--jobs", "\(jobs)"], in: folder,
            by: ["prlimit", "--as=\(2000 << 20)", "--stack=\(4000 << 20)", "--"], output: "/dev/null")
        let end = run.end()
        guard jobs > 1, !Self.isSanitized else {
            expect(end.status, equals: 0)
            return
        }
        expect(end.status, equals: scenario.ExitStatus.outOfMemory.rawValue)
        #expect(end.error.contains("error: there is not enough memory for a thread"), "\(end.error)")
        #expect(end.error.contains("hint: `--jobs 1` needs no more"))
    }
}
