import Foundation
import Testing

@testable import TestSupport

/// A filter of a transcript, behind `|`.
///
/// `grep PATTERN` gives the lines that a regular expression matches, `grep -o PATTERN` its matches alone, `json PATH…` the values at
/// paths such as `changes.0.kind`, `words` the words of a page without its tags, with each row of a table on a line, and `to FILE`
/// writes a file of the folder.
struct TranscriptFilter {
    private let words: [String]
    private let folder: TemporaryFolder

    init(_ words: [String], in folder: TemporaryFolder) { (self.words, self.folder) = (words, folder) }

    /// The text that it makes of another one.
    func filtered(_ text: String) throws -> String {
        switch words.first {
        case "grep":
            let (pattern, givesMatches) = (words.last ?? "", words.contains("-o"))
            let found = TranscriptText.split(text).flatMap { line in
                givesMatches
                    ? Self.matches(of: pattern, in: line)
                    : line.range(of: pattern, options: .regularExpression) == nil ? [] : [line]
            }
            return found.map { $0 + "\n" }.joined()
        case "json":
            let root = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            return try words.dropFirst().map { "\($0): \(try Self.value(at: $0, in: root))\n" }.joined()
        case "words":
            return text.replacing("<wbr>", with: "")
                .replacing(#/\s*<(?:tr|p|h[1-6]|li|div|section|table|title)\b[^>]*>/#, with: "\n")
                .replacing(#/ *(?:<[^>]*> *)+/#, with: "|")
        case "to":
            try folder.write(text, to: words.last ?? "")
            return ""
        default: throw TestFailure("`|` is followed by `grep PATTERN`, `json PATH…`, `words` or `to FILE`")
        }
    }

    private static func matches(of pattern: String, in line: String) -> [String] {
        var (found, rest) = ([String](), line[...])
        while let range = rest.range(of: pattern, options: .regularExpression), !range.isEmpty {
            found.append(String(rest[range]))
            rest = rest[range.upperBound...]
        }
        return found
    }

    private static func value(at path: String, in root: Any) throws -> String {
        let value = path.split(separator: ".").reduce(root as Any?) { value, key in
            if let list = value as? [Any] { return Int(key).flatMap { list.indices.contains($0) ? list[$0] : nil } }
            return (value as? [String: Any])?[String(key)]
        }
        guard let value else { return "(none)" }
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    }
}

/// A text as a transcript shows it.
enum TranscriptText {
    /// The lines of standard output; those that begin as something else of a transcript have `\` in front.
    static func lines(of text: String) -> [String] {
        let signs = ["$ ", "? ", "! ", "> ", "== ", "-- ", "...", "\\"]
        return marked(text).map { line in signs.contains(where: line.hasPrefix) ? "\\" + line : line }
    }

    /// The lines of standard error.
    static func errors(of text: String) -> [String] { marked(text).map { "! \($0)" } }

    /// The text of a line whose end is marked, with that end.
    static func unmarked(_ line: String) -> String {
        switch line.last {
        case "␍": line.dropLast() + "\r\n"
        case "␃": String(line.dropLast())
        case "␠": line.dropLast() + " \n"
        default: line + "\n"
        }
    }

    /// The lines of a text, by scalars: a carriage return and a line feed are one character.
    static func split(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    // Empty lines at the end are left out: those of a transcript separate.
    private static func marked(_ text: String) -> [String] {
        var lines = split(text)
        if lines.last == "" { lines.removeLast() } else { lines[lines.count - 1] += "␃" }
        while lines.last == "" { lines.removeLast() }
        return lines.map { line in
            if line.hasSuffix("\r") { return line.dropLast() + "␍" }
            return line.hasSuffix(" ") ? line.dropLast() + "␠" : line
        }
    }
}
