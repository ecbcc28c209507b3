extension PatternMatcher {
    /// Whether a pattern is found in a text; `nil` where finding that out was given up (R7.2).
    package func isFound(_ pattern: Pattern, in text: String) -> Bool? {
        let bytes = Array(text.utf8)
        let outcome = search(pattern, in: bytes.span, isUTF8: true)
        return outcome == .limitHit ? nil : outcome == .found
    }
}

extension Pattern {
    /// Whether the pattern is found in a text; for single uses, since it makes what it needs for the search.
    public func isFound(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        return PatternMatcher().search(self, in: bytes.span) == .found
    }

    /// Whether the pattern is found in a text, or finding that out takes long, so that a run may give it up (R7.2).
    package func mayBeFound(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        return PatternMatcher().searchQuickly(self, in: bytes.span) != .notFound
    }
}
