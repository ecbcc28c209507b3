import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `scenario explore` as a command, and as a process that its page and strangers ask.
@Suite struct ExploreCommandTests {
    static let rows: [ToolRow] = [
        .usage(
            "no account", "explore @day.jsonl",
            "option `--account FILE` is missing; `--account new` is a new account"),
        .usage(
            "a port that is none", "explore @day.jsonl --account new --port 65536",
            "option `--port` takes a whole number, 0 through 65535, not `65536`"),
        .usage(
            "no memory at all", "explore @day.jsonl --account new --memory 0",
            "option `--memory` takes a whole number, 1 through 1048576, not `0`"),
        .invalid(
            "a capture that is none", "explore @none.jsonl --account new",
            "none.jsonl: error: no such file or directory"),
        .invalid(
            "a file without records", "explore @empty.jsonl --account new", "empty.jsonl: error: the capture is empty"),
    ]

    @Test("It is refused", arguments: rows) func isRefused(_ row: ToolRow) throws {
        row.expectNoOutput(of: ToolRun(row.arguments.list, in: try TemporaryFolder(Sample.files)))
    }

    @Test("Malformed records are refused, since no report would count them") func malformed() throws {
        let run = try ToolRun("explore @malformed.jsonl --account new", files: Sample.files)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains("malformed.jsonl:2"))
    }

    // 1 MiB has room for 10,485 attestations.
    @Test("Captures that do not fit are refused with a way to explore a sample, which works") func memory() throws {
        let lines = (0..<10_486).map { number in
            let (device, flags) = (TestSupport.Sample.device(number % 999), number % 3 == 0 ? "rooted" : "")
            return #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(device)","public-flags":"\#(flags)"}"# + "\n"
        }
        let folder = try TemporaryFolder([
            "day.jsonl": lines.joined(), "rest.jsonl": lines.dropLast().joined(), "account.yaml": Sample.account,
        ])
        let words = ["--account", "@account.yaml", "--memory", "1"]
        let refused = ToolRun(["explore", "@day.jsonl"] + words, in: folder)
        #expect(refused.status == .invalidInput)
        let message = "there are more attestations than fit into memory, which are 10,485"
        #expect(refused.error.contains(message), "\(refused.error)")
        #expect(refused.error.contains("--shards 2 --output sample`"), "\(refused.error)")
        #expect(try ExploreBench(["@rest.jsonl"] + words, in: folder).text("answer").contains(#""attestations":10485"#))
        #expect(
            ToolRun(["split", "@day.jsonl", "--shards", "2", "--output", "@sample"], in: folder).status == .success)
        let bench = try ExploreBench(["@sample/shard-1.arrow"] + words, in: folder)
        let change = "policy -set default,strict,risk"
        let run = ToolRun(
            ["diff", "@sample/shard-1.arrow", "--account", "@account.yaml", "--format", "json", "--change", change],
            in: folder)
        #expect(run.status == .success && bench.text("answer", #"{"changes":["\#(change)"]}"#) == run.output)
    }

    // Another origin and name, no secret, forms, WebSockets, a body of 10 MB, half a request; killed and started again.
    @Test("Its page is answered, and strangers are not") func sockets() throws {
        let folder = try TemporaryFolder(["day.jsonl": Sample.day, "account.yaml": Sample.account])
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let program = GoldenCase.tests.appending(path: "Tooling/explore.py").path(percentEncoded: false)
        process.arguments = ["-B", program, ToolProcess.path, folder.path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
