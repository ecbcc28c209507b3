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

    /// The comments of a file that begin in some way, in the order of their lines.
    ///
    /// - Parameters:
    ///   - beginning: The beginning, with its `#`.
    ///   - source: The file.
    ///   - root: Its content.
    ///   - isWanted: True for the words behind the beginning that the caller asks for; others cost nothing.
    /// - Complexity: O(length), and a file that has some is parsed once more for each: a text in quotes or in block style
    ///   that looks like a comment is none.
    static func all(
        _ beginning: String, in source: SourceFile, with root: Node?,
        where isWanted: (Substring) -> Bool = { _ in true }
    ) -> [LintComment] {
        guard source.text.utf8.span.contains(Array(beginning.utf8)) else { return [] }
        let lines = source.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.indices.compactMap { index in
            guard let start = lines[index].range(of: beginning)?.lowerBound,
                isWanted(lines[index][start...].dropFirst(beginning.count)),
                isComment(from: start, at: index, of: lines, with: root)
            else { return nil }
            return LintComment(
                position: SourcePosition(line: index + 1, column: lines[index][..<start].unicodeScalars.count + 1),
                words: lines[index][start...].dropFirst(beginning.count),
                lines: covered(from: start, at: index, of: lines))
        }
    }

    // True if the content is the same without it.
    private static func isComment(
        from start: Substring.Index, at index: Int, of lines: [Substring], with root: Node?
    ) -> Bool {
        var others = lines
        others[index] = lines[index][..<start]
        let rest = YAMLParser.parse(SourceFile(path: "", text: others.joined(separator: "\n")))
        return rest.root.hasContent(of: root)
    }

    private static func covered(from start: Substring.Index, at index: Int, of lines: [Substring]) -> Range<Int> {
        let isAlone = lines[index][..<start].allSatisfy(\.isWhitespace)
        guard let first = isAlone ? lines.indices.dropFirst(index + 1).first(where: { lines[$0].hasContent }) : index
        else { return index + 1..<index + 1 }
        let depth = lines[first].indentation
        let end = lines.indices.dropFirst(first + 1).first { lines[$0].hasContent && lines[$0].indentation <= depth }
        return first + 1..<(end ?? lines.count) + 1
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
    static func all(in source: SourceFile, with root: Node?) -> [LintAllowance] {
        LintComment.all("# scenario: allow", in: source, with: root).map(LintAllowance.init)
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
        let comments = ["# scenario:", "#scenario:"].flatMap { beginning in
            LintComment.all(beginning, in: document.source, with: document.root) {
                $0.trimmed.lowercased().hasPrefix("expir")
            }
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

extension Node? {
    // True if both say the same, wherever it is.
    fileprivate func hasContent(of other: Node?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.hasContent(of: right)
        case (nil, _?), (_?, nil): false
        }
    }
}

extension Node {
    fileprivate func hasContent(of other: Node) -> Bool {
        switch (content, other.content) {
        case (.scalar(let left, let isPlain), .scalar(let right, let isOtherPlain)):
            left.utf8.elementsEqual(right.utf8) && isPlain == isOtherPlain
        case (.sequence(let left), .sequence(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.hasContent(of: $1) }
        case (.mapping(let left), .mapping(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.key == $1.key && $0.value.hasContent(of: $1.value) }
        case (.scalar, _), (.sequence, _), (.mapping, _): false
        }
    }
}
