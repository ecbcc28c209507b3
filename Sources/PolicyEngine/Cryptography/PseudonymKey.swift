/// Makes names that stand for others: equal ones for equal texts, and nothing of the text in them for whoever lacks the key.
package struct PseudonymKey: Sendable {
    private let secret: [UInt8]

    /// The length of a name, in characters: 60 bits, so that even ten million names mostly differ.
    private static let length = 12
    private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// A key that follows from some bytes, whatever their length.
    package init(from bytes: [UInt8]) {
        secret = Cryptography.hmacSHA256(of: bytes, key: Array("redaction v1".utf8))
    }

    /// A key that nobody can make again.
    package static func random() -> PseudonymKey { PseudonymKey(from: Cryptography.randomBytes(32)) }

    /// True if a text has the form of a name.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy(digits.contains)
    }

    /// The name for a text.
    ///
    /// - Parameters:
    ///   - text: The text, by its bytes.
    ///   - kind: Its kind; the same text as another kind has another name.
    package func name(for text: some Sequence<UInt8>, kind: String) -> String {
        let code = Cryptography.hmacSHA256(of: Array("\(kind)|".utf8) + Array(text), key: secret)
        return String(decoding: code.prefix(Self.length).map { Self.digits[Int($0 & 31)] }, as: UTF8.self)
    }
}
