/// Text in Markdown, in which nothing becomes markup.
package enum MarkdownText {
    /// The text as it is written; characters that a terminal would act on are made visible.
    package static func escaped(_ text: String) -> String {
        // By scalars, as Markdown reads them: with a combining mark behind it a bar is another character to a string, and
        // still ends a cell.
        let scalars = Array(text.showingControls().unicodeScalars)
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            // Bare addresses would become links.
            let isAddress =
                scalar == ":" && scalars[(index + 1)...].starts(with: "//".unicodeScalars)
                || scalar == "." && scalars[..<index].suffix(3).elementsEqual("www".unicodeScalars)
            if isAddress || markup.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    private static let markup = Set("\\`*_{}[]<>#|~&".unicodeScalars)
}
