/// The catalogue of flags (R2.1), as `docs/RULES.md` has it.
enum FlagFacts {
    /// The rows of the copy, in catalogue order.
    static let all = FlagFact.rows(of: RulesDocument.section("Flags")).rows(37)
    /// The number of flags that an account can declare beside them (R2.2).
    static let room = 128 - all.count
    /// The names, in catalogue order.
    static let names = all.map(\.name)
    /// The flags that make a device risky.
    static let risks = Set(all.filter(\.isRisk).map(\.name))
}

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
