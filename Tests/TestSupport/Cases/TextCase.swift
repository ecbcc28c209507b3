/// A case that is a text, or a list of texts, with what is read from it: lines that begin with `! `.
enum TextCase {
    /// The lines of a case, each with what it gives behind it.
    static func lines(_ example: CaseFile.Case, _ result: (String) throws -> String) rethrows -> [String] {
        try given(example).flatMap { [$0, "! \(try result($0))"] }
    }

    /// The whole text of a case, whose markers ① to ⑳ are no part of it, with what it gives behind it.
    static func text(_ example: CaseFile.Case, _ results: (MarkedText) throws -> [String]) rethrows -> [String] {
        let lines = given(example)
        return lines + (try results(MarkedText(lines.map { $0 + "\n" }.joined()))).map { "! \($0)" }
    }

    private static func given(_ example: CaseFile.Case) -> [String] { example.body.filter { !$0.hasPrefix("! ") } }
}
