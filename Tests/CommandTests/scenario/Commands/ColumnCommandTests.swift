import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Every command writes the same of records in columns, as pyarrow and polars write them, as of the same records in lines.
@Suite struct ColumnCommandTests {
    @Test func commandsAgree() async throws {
        let folder = try TemporaryFolder()
        let count = Exhaustive.count(6, whole: 150)
        let answer = try await Tooling.answer(
            of: "columns.py",
            to: ["scenario": ToolProcess.path, "folder": folder.path, "seeds": Array(1...count)], in: .columns)
        for command in [
            "replay", "diff", "whatif", "search", "explain", "minimise", "record", "compare", "rollout", "merge",
            "split", "explore",
        ] {
            #expect((answer[command] as? Int ?? 0) >= count, "\(command)")
        }
    }
}
