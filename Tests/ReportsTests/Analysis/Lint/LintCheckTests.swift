import Foundation
import PolicyEngine
import Testing

@testable import Analysis
@testable import Documents
@testable import TestSupport

/// Each check by its own examples.
@Suite struct LintCheckTests {
    struct Check: Sendable, CustomTestStringConvertible {
        let type: any LintCheck.Type
        var testDescription: String { type.information.code }
    }

    static let checks = LintCatalogue.all.map(Check.init)

    private static func lint(_ text: String, _ information: LintInformation) throws -> [Diagnostic] {
        let folder = try TemporaryFolder()
        var linter = Linter(at: information.instant)
        linter.add(try folder.write(text, to: "file.yaml"))
        if let capture = information.capture { linter.add(try folder.write(capture, to: "capture.jsonl")) }
        return linter.finish().diagnostics.all
    }

    @Test(arguments: checks) func findsItsExample(_ check: Check) throws {
        let information = check.type.information
        let found = try Self.lint(information.trips, information).filter {
            $0.message.hasSuffix("[\(information.code)]")
        }
        #expect(found.count >= 1)
        #expect(found.allSatisfy { $0.severity == .warning && $0.hint == information.why && $0.position != nil })
    }

    @Test(arguments: checks) func passesTheSimilarOne(_ check: Check) throws {
        let information = check.type.information
        let found = try Self.lint(information.passes, information)
        #expect(!found.contains { $0.message.contains("[\(information.code)]") || $0.severity == .error })
    }

    // A check whose file is not in the catalogue would never run.
    @Test func theCatalogueListsEveryFile() throws {
        let folder = Repository.root.appending(path: "Sources/Analysis/Lint/Checks")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let names = LintCatalogue.all.map { check in String(describing: check) + ".swift" }
        let codes = LintCatalogue.all.map { check in check.information.code }
        expect(names, equals: files.sorted())
        expect(codes, equals: codes.sorted())
        expect(Set(codes).count, equals: codes.count)
    }
}
