/// Text in each form of output, so that none of it is read as a part of that form.
///
/// In all but the body of a mail, characters that a terminal would act on, and invisible ones, are replaced by visible ones
/// (``Swift/String/showingControls(keepingTabs:keepingLines:)``).
package enum Escape {
    // MARK: Bytes

    /// Appends a literal of the program.
    package static func append(literal text: StaticString, to bytes: inout [UInt8]) {
        text.withUTF8Buffer { buffer in
            // SAFETY: the buffer is the literal's own and lives for ever.
            unsafe bytes.append(contentsOf: buffer)
        }
    }

    /// Appends text to HTML, in attributes and between tags. It is cut after 1000 characters; `…` marks the cut.
    package static func append(html text: String, to bytes: inout [UInt8]) {
        append(text, limit: 1000, to: &bytes) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "\""): "&quot;"
            case UInt8(ascii: "'"): "&#39;"
            default: nil
            }
        }
    }

    /// Appends the value of a label to OpenMetrics, without its quotes.
    package static func append(openMetrics text: String, to bytes: inout [UInt8]) {
        append(text, to: &bytes) { byte in
            switch byte {
            case UInt8(ascii: "\""): "\\\""
            case UInt8(ascii: "\\"): "\\\\"
            default: nil
            }
        }
    }

    /// Appends a field of words to comma-separated values (RFC 4180), in quotes if it needs them. If a program for tables would
    /// take it for a formula, `'` is put before it.
    package static func append(csv text: String, to bytes: inout [UInt8]) {
        var field: [UInt8] = []
        if let first = text.utf8.first, formulaSigns.contains(first) { field.append(UInt8(ascii: "'")) }
        append(text, to: &field) { $0 == UInt8(ascii: "\"") ? "\"\"" : nil }
        let needsQuotes = field.contains { quotedInCSV.contains($0) }
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
        bytes += field
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
    }

    // With these the formulas of programs for tables begin.
    private static let formulaSigns = Set("=+-@\t\r".utf8)
    private static let quotedInCSV = Set(",\"\r\n; '".utf8)

    // `replacement` is that of a byte of ASCII; `nil` for the byte itself.
    private static func append(
        _ text: String, limit: Int = .max, to bytes: inout [UInt8], _ replacement: (UInt8) -> StaticString?
    ) {
        var count = 0
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard count < limit else { return append(literal: "…", to: &bytes) }
            count += 1
            if scalar.isControlling {
                visible.appendVisible(scalar)
                for shown in visible { append(shown, to: &bytes, replacement) }
                visible.removeAll(keepingCapacity: true)
            } else {
                append(scalar, to: &bytes, replacement)
            }
        }
    }

    private static func append(
        _ scalar: Unicode.Scalar, to bytes: inout [UInt8], _ replacement: (UInt8) -> StaticString?
    ) {
        if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            if let literal = replacement(byte) { append(literal: literal, to: &bytes) } else { bytes.append(byte) }
        } else {
            bytes.append(contentsOf: Unicode.UTF8.encode(scalar).map(Array.init) ?? [])
        }
    }

    // MARK: Reports of tests

    /// Text in XML 1.0, in attributes and between tags. Characters that XML does not have are replaced, and characters that a
    /// terminal would act on are written by their numbers.
    package static func xml(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n", "\t", "\r": "&#\(scalar.value);"
            default: !isInXML(scalar) ? "\u{FFFD}" : scalar.isControlling ? "&#\(scalar.value);" : nil
            }
        }
    }

    // The characters that XML 1.0 has; others cannot be written, not even by their number.
    private static func isInXML(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// The description of a test point in the Test Anything Protocol. `#` would begin a directive such as SKIP, with which a
    /// failure would not count.
    package static func tap(_ text: String) -> String {
        escaped(text) { $0 == "\\" || $0 == "#" ? "\\\($0)" : nil }
    }

    /// Text in a workflow command of GitHub Actions, by the rules of the runner: characters that it would read as the end of a
    /// value are written as `%` and two digits.
    ///
    /// - Parameter isProperty: True for the value of a property, such as a title; else it is for behind the second `::`.
    package static func gitHub(_ text: String, isProperty: Bool = false) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            case ":" where isProperty: "%3A"
            case "," where isProperty: "%2C"
            default: nil
            }
        }
    }

    // By scalars: to a string, CR LF is one character, and so is a colon with a combining mark.
    private static func escaped(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let written = replacement(scalar) {
                result += written.unicodeScalars
            } else {
                result.appendVisible(scalar)
            }
        }
        return String(result)
    }

    // MARK: The shell

    /// A word as a shell (POSIX) takes it; within single quotes it changes nothing.
    package static func shell(word text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(plainInShell.contains)
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// The path of a file as an operand: with a dash in front it would be taken for an option.
    package static func shell(operand path: String) -> String {
        shell(word: path.hasPrefix("-") && path != "-" ? "./" + path : path)
    }

    /// An option with its value, which needs `=` where it begins with a dash.
    package static func shell(option name: String, _ value: String) -> String {
        value.hasPrefix("-") ? shell(word: "\(name)=\(value)") : "\(name) \(shell(word: value))"
    }

    private static let plainInShell = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,%+=@".utf8)

    // MARK: Markdown

    /// Text in Markdown, in which nothing becomes markup, and nobody and nothing is referred to.
    ///
    /// GitHub and GitLab look for references in the text that Markdown makes, where a backslash is seen no more. So a character
    /// that takes no room follows what begins one.
    ///
    /// - Parameter isHTML: True within a tag of HTML, where a character reference takes the place of the backslash.
    package static func markdown(_ text: String, inHTML isHTML: Bool = false) -> String {
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

    // MARK: Manual pages and patterns

    /// Text in a manual page (roff), of which no character acts on what shows the page.
    package static func manual(_ text: String) -> String {
        let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("'", with: "\\(aq").replacing("`", with: "\\(ga").replacing("…", with: "...")
            .replacing("±", with: "\\(+-").replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
        // At the start of a line a dot would begin a command.
        return safe.hasPrefix(".") ? "\\&" + safe : safe
    }

    /// A text within a regular expression (PCRE2) that finds it: a backslash before each character that a pattern gives a meaning,
    /// and the number of each that cannot be shown.
    package static func pattern(_ text: String) -> String {
        escaped(text) { scalar in
            if scalar.isControlling { return "\\x{\(String(scalar.value, radix: 16, uppercase: true))}" }
            return meaningful.contains(scalar) ? "\\\(scalar)" : nil
        }
    }

    private static let meaningful = Set(#"\^$.|?*+()[]{}"#.unicodeScalars)

    // MARK: Mail

    /// The value of a header of a mail (RFC 2047): in encoded words where it is more than printable ASCII.
    package static func mail(header text: String) -> String {
        let text = text.showingControls()
        let isPlain = text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && !text.contains("=?") && text.utf8.count <= 900
        guard !isPlain else { return text }
        var (words, word): ([String], String) = ([], "")
        for scalar in text.unicodeScalars {
            // RFC 2047, 4.2.
            let shown = String(scalar).utf8.map { byte in
                String(decoding: byte.isLetterOrDigit ? [byte] : quoted(byte), as: UTF8.self)
            }.joined()
            if word.utf8.count + shown.utf8.count > longestWord {
                words.append(word)
                word = ""
            }
            word += shown
        }
        return (words + [word]).map { "=?UTF-8?Q?\($0)?=" }.joined(separator: "\n ")
    }

    /// The body of a mail or of a part: unchanged if every line is short enough, else in quoted-printable (RFC 2045, 6.7).
    ///
    /// - Returns: The name of the encoding, and the lines.
    package static func mail(body text: String) -> (encoding: String, lines: [String]) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        let isPlain = lines.allSatisfy {
            $0.utf8.count <= longestLine && !$0.hasPrefix("--") && !$0.utf8.contains(0x0D)
        }
        return isPlain ? ("8bit", lines) : ("quoted-printable", lines.flatMap(quotedPrintable))
    }

    // The length of the content that fits into the 75 characters of an encoded word.
    private static let longestWord = 60
    // RFC 5322, 2.1.1, with room for `>`.
    private static let longestLine = 990
    // RFC 2045, 6.7.
    private static let longestQuotedLine = 75

    private static func quotedPrintable(_ line: String) -> [String] {
        var (lines, current): ([String], [UInt8]) = ([], [])
        let bytes = Array(line.utf8)
        for (index, byte) in bytes.enumerated() {
            let isSpaceAtEnd = byte == 0x20 && index == bytes.count - 1
            let isDashAtStart = byte == UInt8(ascii: "-") && current.isEmpty
            let isPlain = 0x20...0x7E ~= byte && byte != UInt8(ascii: "=") && !isSpaceAtEnd && !isDashAtStart
            let shown = isPlain ? [byte] : quoted(byte)
            if current.count + shown.count > longestQuotedLine {
                lines.append(String(decoding: current, as: UTF8.self) + "=")
                current = []
            }
            current += shown
        }
        return lines + [String(decoding: current, as: UTF8.self)]
    }

    private static func quoted(_ byte: UInt8) -> [UInt8] {
        let hex = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "="), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { "0"..."9" ~= self }
    fileprivate var isWordLetter: Bool { self == "_" || properties.isAlphabetic }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
        default: false
        }
    }
}
