import Documents
import Testing

@Suite struct SuggestionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let word: String
        let names: [String]
        let closest: String?
        var testDescription: String { "`\(word)` among \(names)" }
    }

    static let rows = [
        Row(word: "efect", names: ["id", "effect"], closest: "effect"),
        Row(word: "effekt", names: ["id", "effect"], closest: "effect"),
        Row(word: "effects", names: ["id", "effect"], closest: "effect"),
        Row(word: "polciy", names: ["policy"], closest: "policy"),
        Row(word: "yplcoi", names: ["policy"], closest: nil),
        Row(word: "POLICY", names: ["policy"], closest: "policy"),
        Row(word: "flag-rate", names: ["flags", "flag-rates"], closest: "flag-rates"),
        Row(word: "seet", names: ["seed", "seek"], closest: "seed"),
        Row(word: "seek", names: ["seed", "seek"], closest: "seed"),
        Row(word: "sead", names: ["tags", "seed", "lead"], closest: "seed"),
        Row(word: "att", names: ["at"], closest: "at"),
        Row(word: "ta", names: ["at"], closest: "at"),
        Row(word: "x", names: ["y", "a", "ab"], closest: nil),
        Row(word: "X", names: ["x"], closest: "x"),
        // One letter too many in front, of four, and the same letters are nearer than one that is missing.
        Row(word: "xabc", names: ["abc"], closest: "abc"),
        Row(word: "abc", names: ["xabc"], closest: "xabc"),
        Row(word: "xyabc", names: ["abc"], closest: nil),
        Row(word: "rooted", names: ["rootd", "ROOTED"], closest: "ROOTED"),
        Row(word: "", names: ["", "a"], closest: nil),
        Row(word: "scenario", names: [], closest: nil),
        Row(word: "rooted", names: ["xposed", "frida", "magisk"], closest: nil),
        Row(word: "roôted", names: ["rooted"], closest: "rooted"),
        Row(word: "app_version", names: ["app-version"], closest: "app-version"),
        Row(
            word: String(repeating: "x", count: 100), names: [String(repeating: "x", count: 99)],
            closest: String(repeating: "x", count: 99)),
        Row(word: String(repeating: "x", count: 101), names: [String(repeating: "x", count: 100)], closest: nil),
        Row(word: String(repeating: "x", count: 100), names: [String(repeating: "x", count: 101)], closest: nil),
    ]

    @Test(arguments: rows) func findsTheNearestName(_ row: Row) {
        #expect(Suggestion.closest(to: row.word, among: row.names) == row.closest)
    }

    @Test func isWordedAsAQuestion() {
        #expect(Suggestion.hint(for: "polcy", among: ["policy"]) == "did you mean `policy`?")
        #expect(Suggestion.hint(for: "polcy", among: ["flags"]) == nil)
    }

    @Test func longWordsCostNothing() {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(Suggestion.closest(to: long, among: [long + "y"]) == nil)
        #expect(Suggestion.closest(to: "x", among: [long]) == nil)
    }
}
