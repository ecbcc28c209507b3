extension Diagnostic {
    /// The diagnostic as it is printed, without a final newline.
    ///
    /// `file:line:column: error: message`, then the source line with a caret under the column, then the hint.
    package var rendered: String {
        var lines = ["\(place): \(severity.rawValue): \(message)"]
        if let excerpt {
            lines.append("  \(excerpt)")
            lines.append("  \(caretIndentation(under: excerpt))^")
        }
        if let hint { lines.append("  hint: \(hint)") }
        return lines.joined(separator: "\n")
    }

    private var place: String {
        let name = file.showingControls()
        if let position { return "\(name):\(position)" }
        return line.map { "\(name):\($0)" } ?? name
    }

    /// What stands before the caret: tabs as in the source line, so that both lines reach equally far.
    private func caretIndentation(under excerpt: String) -> String {
        let before = excerpt.unicodeScalars.prefix(excerptColumn - 1)
        return String(before.map { $0 == "\t" ? "\t" : " " })
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The same as `rendered`.
    package var description: String { rendered }
}
