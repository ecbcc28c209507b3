extension Diagnostics {
    /// The same without what they quote of the file, but for some words.
    ///
    /// - Parameter words: What may be quoted.
    package func tellingOnly(_ words: Set<String>) -> Diagnostics {
        var told = Diagnostics()
        for diagnostic in all {
            told.add(
                Diagnostic(
                    severity: diagnostic.severity, file: diagnostic.file, position: diagnostic.position,
                    line: diagnostic.line, message: Self.told(diagnostic.message, words),
                    hint: diagnostic.hint.map { Self.told($0, words) }))
        }
        return told
    }

    // What is quoted may hold back quotes itself: so everything is left out from the first that may not be told to the
    // last back quote.
    private static func told(_ text: String, _ words: Set<String>) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.indices.first(where: { $0 % 2 == 1 && !words.contains(parts[$0]) }) else { return text }
        let end = parts.count > first + 1 ? parts[parts.count - 1] : ""
        return parts[..<first].joined(separator: "`") + "`…`" + end
    }
}
