/// Text that equals only the same bytes: Swift's own comparison takes `é` in one character and in two for the same, and
/// captures do not (R7.2). Its order is that of the bytes.
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral text: String) {
        self.init(text)
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.span.hasSameBytes(as: right.text.utf8.span)
    }

    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.span.precedes(right.text.utf8.span)
    }

    package func hash(into hasher: inout Hasher) {
        let bytes = text.utf8.span
        hasher.combine(ByteHash.process.hash(bytes, range: 0..<bytes.count))
    }
}

extension Sequence<String> {
    /// The distinct texts, compared by their bytes.
    package var exactTexts: Set<ExactText> { Set(map { ExactText($0) }) }
}
