import Testing

@testable import TestSupport
@testable import scenario

/// `scenario run --failed`: what failed last.
@Suite struct RunFailedTests {
    private static func run(_ folder: TemporaryFolder, _ arguments: String..., environment: [String: String]? = nil)
        -> ToolRun
    {
        ToolRun(
            ["run", "--no-progress"] + arguments, in: folder,
            environment: environment ?? ["XDG_STATE_HOME": folder.path("state")])
    }

    private static func names(_ run: ToolRun) throws -> [String] {
        (try JSONText(run.output)["scenarios"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    @Test func whatFailedIsRunAgainUntilItPasses() throws {
        let folder = try TemporaryFolder(["good.yaml": Sample.good, "fails.yaml": Sample.fails])
        #expect(Self.run(folder, "@good.yaml", "@fails.yaml").status == .expectationFailed)
        let again = Self.run(folder, "--failed", "--format=json")
        #expect(again.status == .expectationFailed)
        #expect(try Self.names(again) == ["Fails"])
        // Another scenario that passes changes nothing about it.
        #expect(Self.run(folder, "@good.yaml").status == .success)
        #expect(try Self.names(Self.run(folder, "--failed", "@good.yaml", "@fails.yaml", "--format=json")) == ["Fails"])
        try folder.write(Sample.good, to: "fails.yaml")
        #expect(Self.run(folder, "--failed").status == .success)
        #expect(Self.run(folder, "--failed").status == .nothingRan)
    }

    @Test func nothingRememberedRunsNothing() throws {
        let folder = try TemporaryFolder(["good.yaml": Sample.good])
        let run = Self.run(folder, "--failed")
        #expect(run.status == .nothingRan && run.output == "")
        #expect(run.error == "scenario: error: no scenario failed last; `--allow-empty` is for those who mean it\n")
        #expect(Self.run(folder, "--failed", "--allow-empty").status == .success)
        #expect(Self.run(folder, "@good.yaml").status == .success)
        #expect(folder["state/scenario"] == nil && !folder.names.contains("state"))
    }

    @Test func aFileThatIsGoneIsNotRun() throws {
        let folder = try TemporaryFolder(["fails.yaml": Sample.fails])
        _ = Self.run(folder, "@fails.yaml")
        try folder.remove("fails.yaml")
        #expect(Self.run(folder, "--failed").status == .nothingRan)
    }

    /// If nothing can be remembered, a run is what it was.
    @Test(arguments: [[:], ["HOME": "relative"], ["XDG_STATE_HOME": "/dev/null", "HOME": "/"]])
    func whatCannotBeRememberedIsNot(_ environment: [String: String]) throws {
        let folder = try TemporaryFolder(["fails.yaml": Sample.fails])
        let run = Self.run(folder, "@fails.yaml", environment: environment)
        #expect(run.status == .expectationFailed && run.error == "")
    }
}
