package import Documents
internal import PolicyEngine

/// A comment that says something to `lint` about its place: `# scenario: allow …`.
///
/// It covers the line that it ends, or the next line with content if nothing is before it, and what is indented deeper below
/// that line.
struct LintComment {
    let position: SourcePosition
    /// The text behind its beginning.
    let words: Substring
    /// The lines that it covers.
    let lines: Range<Int>

    /// The comments of a file that begin in some way, in the order of their lines; of a line the first one.
    ///
    /// - Parameters:
    ///   - beginnings: The beginnings, each with its `#`.
    ///   - source: The file.
    ///   - isWanted: True for the words behind the beginning that the caller asks for; others cost nothing.
    /// - Complexity: O(length), and a file that has some is parsed once more: a text in quotes or in block style that looks like a
    ///   comment is none.
    static func all(
        _ beginnings: [String], in source: SourceFile, where isWanted: (Substring) -> Bool = { _ in true }
    ) -> [LintComment] {
        guard beginnings.contains(where: { source.text.utf8.span.contains(Array($0.utf8)) }) else { return [] }
        let lines = source.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let found = lines.indices.compactMap { index -> (line: Int, range: Range<Substring.Index>)? in
            let ranges = beginnings.compactMap { lines[index].range(of: $0) }
            guard let range = ranges.min(by: { $0.lowerBound < $1.lowerBound }),
                isWanted(lines[index][range.upperBound...])
            else { return nil }
            return (index, range)
        }
        guard !found.isEmpty else { return [] }
        let (texts, depths) = (linesOfTexts(looking: found, lines), LineDepths(lines))
        return found.filter { !texts.contains($0.line) }.map { index, range in
            LintComment(
                position: SourcePosition(
                    line: index + 1, column: lines[index][..<range.lowerBound].unicodeScalars.count + 1),
                words: lines[index][range.upperBound...],
                lines: depths.covered(byCommentAt: index))
        }
    }

    // The mark before and after the number of a line: a character that YAML takes for a letter, and that no file of ours has.
    private static let fence: Character = "\u{E000}"

    // The lines on which what looks like a comment is part of a text: behind each `#` its line is noted, and the texts are those of the
    // content that have a note.
    private static func linesOfTexts(
        looking found: [(line: Int, range: Range<Substring.Index>)], _ lines: [Substring]
    ) -> Set<Int> {
        var noted = lines.map(String.init)
        for (index, range) in found {
            let start = lines[index].index(after: range.lowerBound)
            noted[index] = "\(lines[index][..<start])\(fence)\(index)\(fence)\(lines[index][start...])"
        }
        let content = YAMLParser.parse(SourceFile(path: "", text: noted.joined(separator: "\n")))
        var (texts, open): (Set<Int>, [Node]) = ([], [content.root].compactMap(\.self))
        func note(_ text: String) { texts.formUnion(text.split(separator: fence).dropFirst().compactMap { Int($0) }) }
        while let node = open.popLast() {
            switch node.content {
            case .scalar(let text, _): note(text)
            case .sequence(let nodes): open += nodes
            case .mapping(let entries):
                for entry in entries {
                    note(entry.key)
                    open.append(entry.value)
                }
            }
        }
        return texts
    }
}

/// The lines of a file by how deep they are indented.
private struct LineDepths {
    private let isContent: [Bool]
    // By line, and behind the last: the next one with content, itself included.
    private var next: [Int]
    // By line with content: the next one that is not indented deeper.
    private var ends: [Int]

    /// - Complexity: O(length).
    init(_ lines: [Substring]) {
        isContent = lines.map(\.hasContent)
        next = Array(repeating: lines.count, count: lines.count + 1)
        ends = Array(repeating: lines.count, count: lines.count)
        // Of the lines behind, those that may be an end: each is deeper than the one that was added before.
        var open: [(line: Int, depth: Int)] = []
        for index in lines.indices.reversed() {
            next[index] = isContent[index] ? index : next[index + 1]
            guard isContent[index] else { continue }
            let depth = lines[index].indentation
            while let last = open.last, last.depth > depth { open.removeLast() }
            ends[index] = open.last?.line ?? lines.count
            open.append((index, depth))
        }
    }

    /// The numbers of the lines that a comment covers, counted from 1.
    func covered(byCommentAt line: Int) -> Range<Int> {
        let first = next[isContent[line] ? line : line + 1]
        return first < ends.count ? first + 1..<ends[first] + 1 : line + 1..<line + 1
    }
}

/// A comment by which a file allows the findings of a check in its place:
/// `# scenario: allow filter-never-matches because the lab is closed this week`.
package struct LintAllowance: Hashable, Sendable {
    /// The position of the comment.
    package let position: SourcePosition
    /// The code of the check.
    package let code: String
    /// The reason, which a reader is given; empty where none can be read, and then nothing is allowed.
    package let reason: String
    /// The lines that it covers.
    let lines: Range<Int>

    /// The advice on a comment that allows nothing.
    package static let removalHint = "take the comment out"

    /// The allowances of a file, in the order of their lines.
    static func all(in source: SourceFile) -> [LintAllowance] {
        LintComment.all(["# scenario: allow"], in: source).map(LintAllowance.init)
    }

    private init(_ comment: LintComment) {
        let parts = comment.words.split(separator: " because", maxSplits: 1, omittingEmptySubsequences: false)
        code = String(parts[0].trimmed)
        reason = parts.count > 1 && parts[1].hasVisibleContent ? String(parts[1].trimmed) : ""
        (position, lines) = (comment.position, comment.lines)
    }
}

/// A comment that says until when something in its place is meant to be there: `# scenario: expires 2027-01-01T00:00:00Z`.
struct LintExpiry: Hashable {
    let position: SourcePosition
    let instant: Instant

    /// The expiries of a file.
    ///
    /// - Parameter diagnostics: Gets an error for each that is no instant, since nobody would be reminded of it.
    static func all(in document: ParsedDocument, _ diagnostics: inout Diagnostics) -> [LintExpiry] {
        // A misspelt word would remind nobody.
        let comments = LintComment.all(["# scenario:", "#scenario:"], in: document.source) {
            $0.trimmed.lowercased().hasPrefix("expir")
        }
        return comments.compactMap { comment in
            let words = comment.words.split(whereSeparator: \.isWhitespace).map(String.init)
            let (word, text) = (words[0], words.count > 1 ? words[1] : "")
            if word == "expires", let instant = Instant(rfc3339: text) {
                return LintExpiry(position: comment.position, instant: instant)
            }
            let problem =
                word == "expires"
                ? "`expires` takes an instant, not \(text.quoted)"
                : "\(word.quoted) is not a word of a comment for `lint`"
            diagnostics.add(
                Diagnostic(
                    in: document.source, at: comment.position, message: problem,
                    hint: "such as `# scenario: expires 2027-01-01T00:00:00Z`"))
            return nil
        }
    }
}

/// Findings that a comment allows.
package struct AllowedFindings: Sendable {
    /// The file that has the comment.
    let source: SourceFile
    package let allowance: LintAllowance
    /// The findings, in the order in which they came up.
    package internal(set) var findings: [Diagnostic] = []

    /// The path of the file.
    package var file: String { source.path }

    /// True if it allows a finding of a check at a position.
    func covers(_ position: SourcePosition, in source: SourceFile, code: String) -> Bool {
        self.source.path == source.path && allowance.code == code && allowance.lines.contains(position.line)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }

    // True for a line that is neither blank nor a comment.
    fileprivate var hasContent: Bool { trimmed.first.map { $0 != "#" } ?? false }

    fileprivate var indentation: Int { prefix { $0 == " " }.count }

    fileprivate func range(of text: String) -> Range<Index>? { ranges(of: text).first }
}
