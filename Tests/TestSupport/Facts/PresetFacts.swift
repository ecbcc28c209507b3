/// The flags that the preset rejection policies reject (R4.2), as `docs/RULES.md` has it.
enum PresetFacts {
    /// The cells of the table.
    static let all = PresetFact.cells(of: RulesDocument.section("Presets")).rows(atLeast: 1)
    /// The presets of the columns, and `blacklist`, which has none.
    static let names = (PresetFact.columns.map(\.preset) + ["blacklist"]).rows(10)

    /// The flags that reject under a preset.
    static func rejecting(_ preset: String) -> Set<String> { flags(preset, mark: "x") }

    /// The flags that reject under a preset unless `xposed` is set too (R4.3).
    static func rejectingUnlessXposed(_ preset: String) -> Set<String> { flags(preset, mark: "u") }

    private static func flags(_ preset: String, mark: String) -> Set<String> {
        Set(all.filter { $0.preset == preset && $0.mark == mark }.map(\.flag))
    }
}

/// A cell of the table of presets: whether a preset rejects on a flag.
struct PresetFact: Hashable, Sendable, CustomStringConvertible {
    let preset: String
    let flag: String
    /// `x` rejects, `u` rejects unless `xposed` is set too; nothing does not reject.
    let mark: String

    var description: String { "\(preset): \(flag)" }

    /// The letters at the head of the columns and the presets that they stand for.
    static let columns = [
        (letter: "D", preset: "default"),
        (letter: "S", preset: "strict"),
        (letter: "C", preset: "allow-cloned"),
        (letter: "X", preset: "allow-xposed"),
        (letter: "R", preset: "allow-root"),
        (letter: "J", preset: "allow-root-and-jailbroken"),
        (letter: "O", preset: "allow-root-and-jailbroken-only"),
        (letter: "L", preset: "allow-raj-only-short-lifetime"),
        (letter: "W", preset: "whitelist"),
    ]

    /// Reads the cells of a table in Markdown.
    static func cells(of markdown: String) -> [PresetFact] {
        let rows = MarkdownTable.rows(of: markdown)
        guard let head = rows.first else { return [] }
        return rows.dropFirst().flatMap { row in
            columns.compactMap { column in
                guard let index = head.firstIndex(of: column.letter), index < row.count else { return nil }
                return PresetFact(preset: column.preset, flag: row[0], mark: row[index])
            }
        }
    }
}
