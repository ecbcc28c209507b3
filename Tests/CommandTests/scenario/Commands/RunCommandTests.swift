import Foundation
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport
@testable import scenario

/// The scenarios that the package brings.
@Suite struct PackageScenarioTests {
    @Test(arguments: PackageScenario.all) func holds(_ file: PackageScenario) throws {
        let run = try ToolRun(["run", file.path, "--allow-outside"])
        expect(run.status, equals: .success, "\(run.error)\(run.output)")
    }
}

/// A scenario of the package's folder `Scenarios`.
struct PackageScenario: Sendable, CustomTestStringConvertible {
    let path: String
    /// The path below the folder.
    var testDescription: String { path.replacing(Self.folder + "/", with: "") }

    private static let folder = Repository.root.appending(path: "Scenarios").path(percentEncoded: false)

    /// The scenarios, as the command finds them. A quick run leaves one out that takes longer than all others together;
    /// `make run` has it.
    static let all: [PackageScenario] = {
        var diagnostics = Diagnostics()
        return ScenarioFiles.find(at: folder, diagnostics: &diagnostics)
            .filter { Exhaustive.choice(!$0.hasSuffix("/an-ordinary-week.yaml"), whole: true) }
            .map(PackageScenario.init).rows(atLeast: 15)
    }()
}
