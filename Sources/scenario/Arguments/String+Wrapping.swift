extension String {
    /// Breaks the text between words; a word that is too long stands alone on its line.
    ///
    /// - Parameter width: The longest line, in characters.
    /// - Returns: The lines without their line feeds; none for blank text.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// The text with spaces behind it up to a width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
