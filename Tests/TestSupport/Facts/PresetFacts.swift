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
