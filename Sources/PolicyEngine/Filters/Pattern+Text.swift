extension PatternMatcher {
    /// True if a pattern is found in a text; `nil` if the search was given up (R7.2).
    package func isFound(_ pattern: Pattern, in text: String) -> Bool? {
        isFound(pattern, inUTF8: Array(text.utf8).span)
    }

    /// True if a pattern is found in bytes that are UTF-8; `nil` if the search was given up (R7.2).
    package func isFound(_ pattern: Pattern, inUTF8 bytes: Span<UInt8>) -> Bool? {
        let outcome = search(pattern, in: bytes, isUTF8: true)
        return outcome == .limitHit ? nil : outcome == .found
    }
}

extension Pattern {
    /// True if the pattern is found in a text; for single uses, since it makes what it needs for the search.
    public func isFound(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        return PatternMatcher().search(self, in: bytes.span) == .found
    }

    /// True if the pattern is found in a text, or the search takes long, so that a run may give it up (R7.2).
    package func mayBeFound(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        return PatternMatcher().searchQuickly(self, in: bytes.span) != .notFound
    }
}
