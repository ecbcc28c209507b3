/// The kind that a document is meant to have, checked before anything of it is shown.
///
/// A file may be given by mistake, or be named by a stranger's scenario. Its text is quoted in messages only if it looks like
/// that kind.
package struct DocumentKind: Sendable {
    /// The name of the kind, with its article: `an account`.
    package let name: String
    /// The keys with which lines of such a document begin.
    package let keys: Set<String>

    /// Describes a kind of document.
    package init(name: String, keys: Set<String>) { (self.name, self.keys) = (name, keys) }

    /// The error that a file is not of this kind, if it is a file of secrets or a capture.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - path: The path as it is shown to the user.
    /// - Returns: An error that holds nothing of the file.
    package func refusal(of bytes: [UInt8], path: String) -> Diagnostic? {
        if KeyFileText.isKeyFile(bytes) { return Diagnostic(FileFailure.keyFile, in: path) }
        guard Self.isCapture(bytes) else { return nil }
        return Diagnostic(
            file: path, message: "this is a capture, not \(name)", hint: "captures are for replay, diff and explain")
    }

    /// True if the first line is that of a record: `--- … ---`, or an object with a device ID. Lines with `getting ` do not count.
    package static func isCapture(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.prefix(DocumentLimits.captureStart).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        guard let line = lines.first(where: { !$0.starts(with: "getting ".utf8) }) else { return false }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("{") { return text.contains("\"device-id\":") && !text.contains("\"scenario\":") }
        return text.hasPrefix("--- ") && text.hasSuffix(" ---")
    }

    /// True if a file may be quoted: a line begins with a key of this kind, or something like one, or there are no lines; and
    /// nothing looks like a key of cryptography.
    package func mayQuote(_ bytes: [UInt8]) -> Bool {
        let span = bytes.span
        for mark in Self.marks where span.contains(mark) { return false }
        let words = LineWords.first(of: bytes)
        return words.isEmpty || words.contains(where: keys.contains)
            || words.contains { Suggestion.closest(to: $0, among: keys) != nil }
    }

    private static let marks = ["PRIVATE KEY", "\"kty\"", "kty:"].map { Array($0.utf8) }
}

/// The words with which lines begin.
enum LineWords {
    private static let skipped = Set(" \t-{[\"'?$\u{0}".utf8).union([0xEF, 0xBB, 0xBF])
    private static let ends = Set(" \t:\"',}]{[#".utf8)

    /// The first words of all lines that have one and are no comments.
    static func first(of bytes: [UInt8]) -> Set<String> {
        var words: Set<String> = []
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let rest = line.drop(while: skipped.contains)
            guard let first = rest.first, first != UInt8(ascii: "#") else { continue }
            let word = rest.prefix { !ends.contains($0) }
            if !word.isEmpty { words.insert(String(decoding: word, as: UTF8.self)) }
        }
        return words
    }
}
