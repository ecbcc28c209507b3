import Foundation

/// A case that is a text, or a list of texts, with what is read from it: lines that begin with `! `.
enum TextCase {
    /// Gives the result that is read from a line.
    typealias Reading = @Sendable (String) throws -> String

    /// The lines of a case, each with what the reading of the case gives behind it.
    ///
    /// - Parameter readings: By the name of a case, up to its `:`.
    static func lines(_ example: CaseFile.Case, by readings: [String: Reading]) throws -> [String] {
        let name = String(example.name.prefix { $0 != ":" })
        guard let reading = readings[name] else { throw TestFailure("nothing reads the lines of `\(name)`") }
        return try lines(example, reading)
    }

    /// The text that a line stands for: what is in double quotes is a text of JSON, such as an empty one.
    static func text(of line: String) throws -> String {
        guard line.hasPrefix("\"") else { return line }
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
        return value as? String ?? line
    }

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
