import Foundation
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// A scenario of the package's folder `Scenarios`.
struct PackageScenario: Sendable, CustomTestStringConvertible {
    let path: String
    /// The path below the folder.
    var testDescription: String { path.replacing(Self.folder + "/", with: "") }

    private static let folder =
        GoldenCase.tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scenarios")
        .path(percentEncoded: false)

    /// Every scenario, as the command finds them.
    static let all: [PackageScenario] = {
        var diagnostics = Diagnostics()
        return ScenarioFiles.find(at: folder, diagnostics: &diagnostics).map(PackageScenario.init).rows(atLeast: 15)
    }()
}
