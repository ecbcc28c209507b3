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
