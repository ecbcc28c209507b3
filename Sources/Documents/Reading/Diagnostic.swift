/// One problem in something that the user wrote, and where it is.
package struct Diagnostic: Hashable, Sendable, Error {
    /// The severity of a problem.
    package enum Severity: String, Hashable, Sendable {
        /// Nothing can be done with the input.
        case error
        /// The input can be used, but probably says something that was not meant.
        case warning
    }

    /// The severity of the problem.
    package let severity: Severity
    /// The path of the file as it is shown to the user.
    package let file: String
    /// The position in the file, if a character can be named.
    package let position: SourcePosition?
    /// The line of the file, if only that can be named, as for a record of a capture.
    package let line: Int?
    /// The problem; control characters are made visible.
    package let message: String
    /// The source line, or the part of it around the position when it is long; control characters are made visible.
    package let excerpt: String?
    /// A hint that might help; control characters are made visible.
    package let hint: String?
    /// The column of the position within `excerpt`, from 1.
    let excerptColumn: Int

    /// Makes a diagnostic.
    ///
    /// - Parameters:
    ///   - severity: The severity of the problem.
    ///   - file: The path as it is shown to the user.
    ///   - position: The character that is wrong, if one can be named.
    ///   - line: The line, if only that is known.
    ///   - message: The problem: lower case, no final period, the user's words in backticks.
    ///   - excerpt: The whole source line; cut here when it is long. Ignored without a position.
    ///   - hint: A hint that might help, in the same voice.
    package init(
        severity: Severity = .error,
        file: String,
        position: SourcePosition? = nil,
        line: Int? = nil,
        message: String,
        excerpt: String? = nil,
        hint: String? = nil
    ) {
        self.severity = severity
        self.file = file
        self.position = position
        self.line = line
        self.message = message.showingControls()
        self.hint = hint?.showingControls()
        guard let position, let excerpt, !excerpt.isEmpty else {
            (self.excerpt, excerptColumn) = (nil, 1)
            return
        }
        let (part, column) = Self.cut(excerpt, around: position.column)
        self.excerpt = part.showingControls(keepingTabs: true)
        // An invisible character is longer when it is written by its number.
        let before = String(part.unicodeScalars.prefix(column - 1))
        excerptColumn = before.showingControls(keepingTabs: true).unicodeScalars.count + 1
    }

    /// Makes a diagnostic that shows the line of a source file.
    ///
    /// - Parameters:
    ///   - severity: The severity of the problem.
    ///   - source: The file.
    ///   - position: The character that is wrong.
    ///   - message: The problem.
    ///   - hint: A hint that might help.
    package init(
        severity: Severity = .error,
        in source: SourceFile,
        at position: SourcePosition,
        message: String,
        hint: String? = nil
    ) {
        self.init(
            severity: severity, file: source.path, position: position, message: message,
            excerpt: source.isSecret ? nil : source.line(position.line), hint: hint)
    }

    /// The part of a line around a column, with `…` where something was cut off, and the column within that part.
    private static func cut(_ line: String, around column: Int) -> (text: String, column: Int) {
        let scalars = line.unicodeScalars
        let (first, last) = (scalars.startIndex, scalars.endIndex)
        let length = DocumentLimits.excerptLength
        let target = scalars.index(first, offsetBy: max(1, column) - 1, limitedBy: last) ?? last
        guard let full = scalars.index(first, offsetBy: length, limitedBy: last), full < last else {
            return (line, scalars.distance(from: first, to: target) + 1)
        }
        let lower = scalars.index(target, offsetBy: -length / 2, limitedBy: first) ?? first
        let upper = scalars.index(lower, offsetBy: length, limitedBy: last) ?? last
        let text = (lower > first ? "…" : "") + line[lower..<upper] + (upper < last ? "…" : "")
        return (text, scalars.distance(from: lower, to: target) + (lower > first ? 2 : 1))
    }

    /// The diagnostic as it is printed, without a final newline.
    ///
    /// `file:line:column: error: message`, then the source line with a caret under the column, then the hint.
    package var rendered: String {
        var lines = ["\(origin): \(severity.rawValue): \(message)"]
        if let excerpt {
            lines.append("  \(excerpt)")
            lines.append("  \(caretIndentation(under: excerpt))^")
        }
        if let hint { lines.append("  hint: \(hint)") }
        return lines.joined(separator: "\n")
    }

    private var origin: String {
        let name = file.showingControls()
        if let position { return "\(name):\(position)" }
        return line.map { "\(name):\($0)" } ?? name
    }

    /// The blanks before the caret: tabs as in the source line, so that both lines reach equally far.
    private func caretIndentation(under excerpt: String) -> String {
        let before = excerpt.unicodeScalars.prefix(excerptColumn - 1)
        return String(before.map { $0 == "\t" ? "\t" : " " })
    }
}

/// The place of a value in a file.
package struct SourcePlace: Sendable {
    private let source: SourceFile
    private let position: SourcePosition

    package init(source: SourceFile, position: SourcePosition) { (self.source, self.position) = (source, position) }

    /// A problem of the value, in place of one that names no file.
    package func located(_ problem: Diagnostic) -> Diagnostic {
        Diagnostic(
            severity: problem.severity, in: source, at: position, message: problem.message, hint: problem.hint)
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The same as `rendered`.
    package var description: String { rendered }
}
