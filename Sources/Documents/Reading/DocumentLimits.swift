/// Limits that keep a hostile document from exhausting memory or time; reaching one is an ordinary error.
package enum DocumentLimits {
    /// The maximum depth of nested lists and mappings; the outermost is the first level.
    package static let maximumNesting = 64
    /// The maximum number of bytes of a document: 16 MiB.
    package static let maximumBytes = 16 * 1024 * 1024
    /// The number of bytes at the start of a document that are searched for a record of a capture.
    static let captureStart = 65_536
    /// The maximum number of errors, and of warnings, that are kept for one file.
    package static let maximumDiagnostics = 100
    /// The maximum number of characters of a source line in a diagnostic.
    package static let excerptLength = 120
    /// The maximum number of characters of the user's text in a message.
    package static let quotationLength = 80
    /// The maximum number of characters of a word for which a suggestion is searched.
    package static let suggestionLength = 100
    /// The longest duration in seconds: 100 years of 365 days.
    package static let maximumDuration = 100 * 365 * 86_400
}
