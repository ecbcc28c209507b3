import Testing

@testable import TestSupport
@testable import scenario

/// The commands that `init bank` names answer with the figures of a plain count in Python.
@Suite struct StarterCountTests {
    @Test func answersAreThoseOfAPlainCount() async throws {
        let folder = try TemporaryFolder()
        let answer = try await Tooling.answer(
            of: "starter.py", to: ["scenario": ToolProcess.path, "folder": folder.path])
        for kind in ["devices", "comparison", "correction", "edits", "search"] {
            #expect((answer[kind] as? Int ?? 0) > 0, "\(kind)")
        }
    }
}
