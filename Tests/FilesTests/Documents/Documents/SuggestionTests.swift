import Documents
import Testing

@testable import TestSupport

@Suite struct SuggestionTests {
    private static let files = CaseFile.all(in: "Tables/words", ending: "suggestions.txt")

    // A word, and behind `:` the names among which the nearest is sought.
    @Test(arguments: files) func findsTheNearestName(_ file: CaseFile) throws {
        try file.expectActual { example in
            TextCase.lines(example) { line in
                let words = line.split(separator: ":", omittingEmptySubsequences: false)
                let names = words.last?.split(separator: " ").map(String.init) ?? []
                return Suggestion.closest(to: String(words[0]), among: names) ?? "none"
            }
        }
    }

    @Test(arguments: [(100, 99, true), (101, 100, false), (100, 101, false)])
    func wordsOfMoreThanAHundredLettersAreNearNothing(letters: Int, others: Int, isNear: Bool) {
        let name = String(repeating: "x", count: others)
        expect(
            Suggestion.closest(to: String(repeating: "x", count: letters), among: [name]), equals: (isNear ? name : nil)
        )
        #expect(Suggestion.closest(to: "", among: ["", "a"]) == nil)
    }

    @Test func isWordedAsAQuestion() {
        expect(Suggestion.hint(for: "polcy", among: ["policy"]), equals: "did you mean `policy`?")
        #expect(Suggestion.hint(for: "polcy", among: ["flags"]) == nil)
    }

    @Test func longWordsCostNothing() {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(Suggestion.closest(to: long, among: [long + "y"]) == nil)
        #expect(Suggestion.closest(to: "x", among: [long]) == nil)
    }
}
