/// `docs/RULES.md`, the rules that code and tests name.
enum RulesDocument {
    /// The whole text; empty where it cannot be read, so that every test of it fails.
    static let text = (try? Repository.text(of: "docs/RULES.md")) ?? ""

    /// The text under a heading of the second level, up to the next heading of that level or above.
    static func section(_ name: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "## \(name)") else { return "" }
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { $0.hasPrefix("## ") || $0.hasPrefix("# ") } ?? rest.endIndex
        return rest[..<end].joined(separator: "\n")
    }
}
