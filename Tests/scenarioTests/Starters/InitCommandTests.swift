import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// The files that `init` writes to begin with.
@Suite struct InitCommandTests {
    private static func accountName(_ purpose: Starter.Purpose) -> String { purpose == .bank ? "bank" : "test" }

    @Test(
        "what is written passes lint and run, and the capture replays as captured", arguments: Starter.Purpose.allCases)
    func isValid(_ purpose: Starter.Purpose) throws {
        let folder = try TemporaryFolder()
        let run = ToolRun("init \(purpose.rawValue) @new/", in: folder)
        #expect(run.status == .success && run.error == "")
        let files = Starter(purpose).files.map(\.path)
        #expect(
            files.allSatisfy { folder["new/" + $0] != nil && run.output.contains("new/\($0)\n") } && files.count == 5)
        let account = "@new/Scenarios/accounts/\(Self.accountName(purpose)).yaml"
        let lint = ToolRun("lint --strict \(account) @new/Scenarios @new/\(Starter.capturePath)", in: folder)
        #expect(lint.status == .success && lint.output == "")
        let scenarios = ToolRun("run @new/Scenarios", in: folder)
        #expect(scenarios.status == .success && scenarios.output.contains("1 of 1 scenario passed"))
        let replay = ToolRun("replay @new/\(Starter.capturePath) --account=\(account)", in: folder)
        #expect(replay.output.contains("attestations                        8"))
        #expect(replay.output.contains("of which this account reproduces  8  100.0 %"), "\(replay.output)")
    }

    @Test("defaults and the change of the bank's project work there") func defaults() throws {
        let folder = try TemporaryFolder()
        #expect(ToolRun("init bank @new", in: folder).status == .success)
        let end = try ToolProcess(["diff", "--policy", "strict"], in: try Self.inside(folder, "new")).end()
        // One of seven devices has `safetynet-unavailable`, which is more than 1 %.
        #expect(
            end.status == 4
                && end.error.contains("1 of 7 devices (14.3 %), more than `--max-newly-rejected` of scenario.toml"))
    }

    // A folder whose files are those of another.
    private static func inside(_ folder: TemporaryFolder, _ name: String) throws -> TemporaryFolder {
        let files = Starter(.bank).files.map { ($0.path, folder["\(name)/\($0.path)"] ?? "") }
        return try TemporaryFolder(Dictionary(uniqueKeysWithValues: files))
    }

    @Test("nothing is replaced, and nothing written beside it") func neverReplaces() throws {
        let folder = try TemporaryFolder(["new/scenario.toml": "mine"])
        let run = ToolRun("init bank @new", in: folder)
        #expect(run.status == .invalidInput && run.output == "")
        #expect(
            run.error == """
                new/scenario.toml: error: the file is there already, and nothing was written
                  hint: `scenario init bank DIR` writes into another folder

                """)
        #expect(folder["new/scenario.toml"] == "mine" && folder["new/\(Starter.capturePath)"] == nil)
    }

    static let rows = [
        ToolRow.usage("no purpose", "init", "`bank|backend [DIR]` is missing; `--help` shows how it is used"),
        .usage("another purpose", "init shop", "`init` takes `bank` or `backend`, not `shop`"),
        .usage("too many", "init bank a b", "unexpected argument `b`"),
    ]

    @Test(arguments: rows) func isWrong(_ row: ToolRow) throws { try row.expectNoOutput(files: [:]) }
}
