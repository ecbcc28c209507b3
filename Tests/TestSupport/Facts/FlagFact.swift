/// A row of the table of flags.
struct FlagFact: Hashable, Sendable, CustomStringConvertible {
    let index: Int
    let name: String
    let platforms: String
    let kind: String
    let isRisk: Bool
    let isEvidenceAgainstSDK: Bool
    let isNamedInManual: Bool
    let isDerived: Bool

    var description: String { name }

    /// Reads the rows of a table in Markdown.
    static func rows(of markdown: String) -> [FlagFact] {
        MarkdownTable.rows(of: markdown).compactMap { cells in
            guard cells.count == 8, let index = Int(cells[0]) else { return nil }
            return FlagFact(
                index: index,
                name: cells[1],
                platforms: cells[2],
                kind: cells[3],
                isRisk: cells[4] == "risk",
                isEvidenceAgainstSDK: cells[5] == "sdk",
                isNamedInManual: cells[6] == "M",
                isDerived: cells[7].hasSuffix("(derived)")
            )
        }
    }
}
