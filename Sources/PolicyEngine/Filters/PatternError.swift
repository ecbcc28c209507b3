/// Why a text is not a regular expression.
public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The pattern.
    public let source: String
    /// PCRE2's words.
    public let reason: String
    /// Where in the pattern, in bytes of UTF-8 from its start.
    public let offset: Int

    /// What is wrong and where.
    public var description: String { "bad regex `\(source)`: \(reason) at offset \(offset)" }

    /// What might help.
    package var hint: String? {
        "special characters stand for themselves behind `\\`, as in `1\\.2\\.3\\.4`"
    }
}
