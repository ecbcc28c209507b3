/// What the preset rejection policies reject (R4.2), copied from the design notes.
enum PresetFacts {
    static let copy = """
        | flag | D | S | C | X | R | J | O | L | W |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
        | app-not-registered | x | x | x | x | x | x | x | x | |
        | bad-hmac | x | x | x | x | x | x | x | x | x |
        | sdk-tampered | x | x | x | x | x | x | x | x | x |
        | memory-tampered | x | x | x | x | x | x | x | x | |
        | rooted | x | x | x | u | | | | | |
        | xposed | x | x | x | | | | | | |
        | xposed-hostile | x | x | x | x | x | x | x | x | |
        | jailbroken | x | x | x | x | x | | | | |
        | cydia | x | x | x | x | x | x | x | x | |
        | cycript | x | x | x | x | x | x | x | x | |
        | frida | x | x | x | x | x | x | x | x | |
        | emulator | x | x | x | x | x | | x | x | |
        | ios-simulator | x | x | x | x | x | | x | x | |
        | cloned | x | x | | x | x | | x | x | |
        | debug | x | x | x | x | x | x | x | x | |
        | pinning-tampered | x | x | x | x | x | x | x | x | x |
        | did-ban | x | x | x | x | x | x | x | x | |
        | devicecheck-ban | x | x | x | x | x | x | x | x | |
        | devicecheck-failed | x | x | x | x | x | x | x | x | |
        | devicecheck-unavailable | | x | | | | | | | |
        | devicecheck-missing | | x | | | | | | | |
        | safetynet-fail-token | x | x | x | x | x | x | x | x | |
        | safetynet-fail-cert | x | x | x | x | x | x | x | x | |
        | safetynet-fail-integrity | x | x | x | u | | | | | |
        | safetynet-fail-profile | | x | | | | | | | |
        | safetynet-unavailable | | x | | | | | | | |
        | safetynet-missing | | x | | | | | | | |
        """

    /// The cells of the copy.
    static let all = PresetFact.cells(of: copy)
    /// The presets of the columns, and `blacklist`, which has none.
    static let names = PresetFact.columns.map(\.preset) + ["blacklist"]

    /// The flags that reject under a preset.
    static func rejecting(_ preset: String) -> Set<String> { flags(preset, mark: "x") }

    /// The flags that reject under a preset unless `xposed` is set too (R4.3).
    static func rejectingUnlessXposed(_ preset: String) -> Set<String> { flags(preset, mark: "u") }

    private static func flags(_ preset: String, mark: String) -> Set<String> {
        Set(all.filter { $0.preset == preset && $0.mark == mark }.map(\.flag))
    }
}
