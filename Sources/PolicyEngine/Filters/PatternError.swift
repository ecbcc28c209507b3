/// Why a text is not a regular expression.
public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The pattern.
    public let source: String
    /// PCRE2's words.
    public let reason: String
    /// The offset of the mistake in the pattern, in bytes of UTF-8 from its start.
    public let offset: Int

    /// The reason, and the offset of the mistake.
    public var description: String { "bad regex `\(source)`: \(reason) at offset \(offset)" }

    /// A hint on how to correct the pattern.
    package var hint: String? {
        "write `\\` before a special character to match it literally, as in `1\\.2\\.3\\.4`"
    }
}
