import Foundation
import Testing

@testable import Accounts
@testable import Scenarios
@testable import TestSupport
@testable import scenario

/// The files that `make install` installs, and their folders.
@Suite struct InstallTests {
    private static let program = GoldenCase.tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Tools/install.sh")

    private static func install(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = program
        process.arguments = [ToolProcess.path] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test func filesStandWhereShellsAndManLook() throws {
        let folder = try TemporaryFolder()
        #expect(try Self.install(["/usr", folder.path]) == 0)
        #expect(FileManager.default.isExecutableFile(atPath: folder.path("usr/bin/scenario")))
        let completions = [
            Shell.bash: "bash-completion/completions/scenario", .zsh: "zsh/site-functions/_scenario",
            .fish: "fish/vendor_completions.d/scenario.fish",
        ]
        for shell in Shell.allCases {
            let path = try #require(completions[shell])
            #expect(folder["usr/share/\(path)"] == shell.completions(of: ScenarioTool.definition))
        }
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("usr/share/man/man1"))
        #expect(pages.sorted() == ManualPage.names(of: ScenarioTool.definition).map { "\($0).1.gz" }.sorted())
        for (kind, schema) in [
            ("account", AccountSchema.document), ("scenario", ScenarioSchema.document),
            ("keys", KeyFileSchema.document),
        ] {
            #expect(folder["usr/share/scenario/schemas/\(kind).schema.json"] == schema)
        }
        let documents = folder.path("usr/share/doc/scenario")
        #expect(FileManager.default.fileExists(atPath: documents + "/examples/Scenarios/README.md"))
        #expect(FileManager.default.fileExists(atPath: documents + "/LICENSE"))
    }

    @Test func aPrefixIsAFullPath() throws {
        let folder = try TemporaryFolder()
        #expect(try Self.install(["usr", folder.path]) == 2)
        #expect(folder.names == [])
    }
}
