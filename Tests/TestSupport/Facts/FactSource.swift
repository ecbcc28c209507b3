import FoundationEssentials

/// Where a table of facts comes from: the copy in the tests, or the design notes beside the package.
struct FactSource: Sendable, CustomStringConvertible {
    let description: String
    let text: String

    /// The copy, and the file too where the folder of design notes lies beside the package.
    static func all(copy: String, file: String) throws -> [FactSource] {
        let own = FactSource(description: "the copy in the tests", text: copy)
        guard FileManager.default.fileExists(atPath: designFolder.path()) else { return [own] }
        let text = try String(contentsOf: designFolder.appending(path: file), encoding: .utf8)
        return [own, FactSource(description: file, text: text)]
    }

    private static let designFolder: URL = {
        var root = URL(filePath: #filePath)
        for _ in ["FactSource.swift", "Facts", "TestSupport", "Tests"] { root.deleteLastPathComponent() }
        return root.deletingLastPathComponent().appending(path: "shared/design")
    }()
}
