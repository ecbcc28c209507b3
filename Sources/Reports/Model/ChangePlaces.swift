/// The places where a change of an account was made: lines of a file, or words of the command line.
package struct ChangePlaces: Sendable {
    /// The file that was changed, or that names the changes; else the account's; `nil` where there is none.
    let file: String?
    /// The lines that make the change, in their order; empty if the command line does.
    let lines: [Line]
    /// The change as it was typed, if the command line makes it.
    let words: [String]

    package struct Line: Hashable, Sendable {
        /// Counted from 1.
        package let number: Int
        package let text: String

        package init(number: Int, text: String) { (self.number, self.text) = (number, text) }

        /// True if the text has a name as a whole word: `default` does not name a filter `a`, nor `allow-root` a flag `root`.
        func names(_ name: String) -> Bool {
            text.ranges(of: name).contains { range in
                !text[..<range.lowerBound].suffix(1).contains(where: Self.isOfWords)
                    && !text[range.upperBound...].prefix(1).contains(where: Self.isOfWords)
            }
        }

        private static func isOfWords(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || character == "-" || character == "_"
        }
    }

    package init(file: String?, lines: [Line] = [], words: [String] = []) {
        (self.file, self.lines, self.words) = (file, lines, words)
    }

    /// The line of a part of the change: the first one that has the name of the flag or filter, or else the first one of all;
    /// `nil` if there are no lines.
    func line(naming name: String? = nil) -> Int? {
        let named = name.flatMap { name in lines.first { $0.names(name) } }
        return (named ?? lines.first)?.number
    }
}
