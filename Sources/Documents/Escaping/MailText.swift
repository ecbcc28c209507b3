/// Texts in mails: the words of strangers end no header, no line and no part.
package enum MailText {
    /// A text as the value of a header (RFC 2047): in encoded words where it is more than printable ASCII.
    package static func header(_ text: String) -> String {
        let text = text.showingControls()
        let isPlain = text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && !text.contains("=?") && text.utf8.count <= 900
        guard !isPlain else { return text }
        var (words, word): ([String], String) = ([], "")
        for scalar in text.unicodeScalars {
            let shown = String(scalar).utf8.map(encoded).joined()
            if word.utf8.count + shown.utf8.count > longestWord {
                words.append(word)
                word = ""
            }
            word += shown
        }
        return (words + [word]).map { "=?UTF-8?Q?\($0)?=" }.joined(separator: "\n ")
    }

    // The length of the content that fits into the 75 characters of an encoded word.
    private static let longestWord = 60

    // RFC 2047, 4.2.
    private static func encoded(_ byte: UInt8) -> String {
        let isPlain =
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
            default: false
            }
        return String(decoding: isPlain ? [byte] : [UInt8(ascii: "="), hex(byte >> 4), hex(byte & 15)], as: UTF8.self)
    }

    /// A text as the body of a mail or of a part: unchanged if every line is short enough, else in quoted-printable (RFC 2045,
    /// 6.7).
    ///
    /// - Returns: The name of the encoding, and the lines.
    package static func body(_ text: String) -> (encoding: String, lines: [String]) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        let isPlain = lines.allSatisfy {
            $0.utf8.count <= longestLine && !$0.hasPrefix("--") && !$0.utf8.contains(0x0D)
        }
        return isPlain ? ("8bit", lines) : ("quoted-printable", lines.flatMap(quotedPrintable))
    }

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
            let shown = isPlain ? [byte] : [UInt8(ascii: "="), hex(byte >> 4), hex(byte & 15)]
            if current.count + shown.count > longestQuotedLine {
                lines.append(String(decoding: current, as: UTF8.self) + "=")
                current = []
            }
            current += shown
        }
        return lines + [String(decoding: current, as: UTF8.self)]
    }

    private static func hex(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x37 + digit }
}
