import Testing

@testable import TestSupport
@testable import scenario

/// Every report on labelled devices has the figures of a plain count in Python.
@Suite struct PlainLabelCountTests {
    @Test func countsAreThoseOfAPlainCount() async throws {
        let folder = try TemporaryFolder()
        let count = Exhaustive.count(20, whole: 200)
        let answer = try await Tooling.answer(
            of: "labels.py",
            to: ["scenario": ToolProcess.path, "folder": folder.path, "seeds": Array(1...count)])
        for kind in ["refused", "replays", "comparisons", "unmatched", "edits"] {
            #expect((answer[kind] as? Int ?? 0) > 0, "\(kind)")
        }
    }
}
