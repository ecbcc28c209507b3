import Testing

@testable import scenario

/// The scenarios that the package brings.
@Suite struct PackageScenarioTests {
    @Test(arguments: PackageScenario.all) func holds(_ file: PackageScenario) throws {
        let run = try ToolRun(["run", file.path, "--allow-outside"])
        #expect(run.status == .success, "\(run.error)\(run.output)")
    }
}
