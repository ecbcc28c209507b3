/// Text in Markdown, in which nothing becomes markup, and nobody and nothing is referred to.
package enum MarkdownText {
    /// The text as it is written; characters that a terminal would act on are made visible.
    ///
    /// GitHub and GitLab look for references in the text that Markdown makes, where a backslash is seen no more. So a character
    /// that takes no room follows what begins one.
    ///
    /// - Parameter isHTML: True within a tag of HTML, where a character reference takes the place of the backslash.
    package static func escaped(_ text: String, inHTML isHTML: Bool = false) -> String {
        // By scalars, as Markdown reads them: with a combining mark behind it a bar is another character to a string, and
        // still ends a cell.
        let scalars = Array(text.showingControls().unicodeScalars)
        var result = ""
        for (index, scalar) in scalars.enumerated() {
            // A line of a comment that begins with a slash is a command to GitLab.
            let isMarkup = markup.contains(scalar) || index == 0 && scalar == "/"
            if isMarkup, isHTML {
                result += "&#\(scalar.value);"
            } else {
                if isMarkup { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
            if beginsReference(scalars[...index], before: scalars[(index + 1)...]) { result += gap }
        }
        return result
    }

    private static let markup = Set("\\`*_{}[]<>#|~&".unicodeScalars)
    private static let gap = "&#8203;"

    // True if a reference begins, or continues, at the end of one part with the other.
    private static func beginsReference(
        _ part: ArraySlice<Unicode.Scalar>, before rest: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        guard let next = rest.first else { return false }
        let (isDigit, isWord) = (next.isDigit, next.isDigit || next.isWordLetter)
        switch part.last {
        // People and addresses; labels and milestones, which may be in quotes.
        case "@": return isWord
        case "~", "%": return isWord || next == "\""
        // Issues, merge requests, epics, snippets, and GH-12.
        case "#": return isWord
        case "!", "&", "$": return isDigit
        case "-": return isDigit && part.dropLast().suffix(2).elementsEqual("GH".unicodeScalars)
        // Addresses of pages, and pictures by their names.
        case ":": return rest.starts(with: "//".unicodeScalars) || beginsPicture(rest)
        case "w", "W": return next == "." && part.suffix(3).allSatisfy { $0 == "w" || $0 == "W" } && part.count >= 3
        default: return false
        }
    }

    // `tada:` behind a colon; numbers between two colons are of a time.
    private static func beginsPicture(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        let name = rest.prefix { $0.isDigit || $0.isWordLetter || $0 == "+" || $0 == "-" }
        return !name.allSatisfy(\.isDigit) && rest.dropFirst(name.count).first == ":"
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { "0"..."9" ~= self }
    fileprivate var isWordLetter: Bool { self == "_" || properties.isAlphabetic }
}
