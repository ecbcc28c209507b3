import Foundation
import Testing

/// Documents as an editor checks them, by the schema alone.
enum SchemaCheck {
    /// True if a message of a loader is about the form of a single value or about a key, which a schema knows, too.
    static func isOfForm(_ message: some StringProtocol) -> Bool {
        let beginnings = [
            "a mapping", "a list", "text", "a whole number", "a duration", "an instant", "a percentage", "`",
        ]
        return message.hasPrefix("unknown key") || message.contains(" is missing from ")
            || beginnings.contains { message.contains(" must be \($0)") }
    }

    /// Checks documents.
    ///
    /// - Parameters:
    ///   - texts: The documents.
    ///   - schema: The schema.
    /// - Returns: For each document the first problem; `nil` where it is accepted.
    static func problems(in texts: [String], by schema: String) async throws -> [String?] {
        let folder = try TemporaryFolder(["schema.json": schema])
        let work: [String: Any] = [
            "schemas": ["it": folder.path("schema.json")],
            "documents": texts.map { ["schema": "it", "name": "", "text": $0] },
        ]
        let answer = try await Tooling.answer(of: "schema.py", to: work)
        let problems = try #require(answer["problems"] as? [Any])
        return problems.map { $0 as? String }
    }
}
