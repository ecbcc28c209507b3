/// Ceilings that keep a hostile document from exhausting memory or time; reaching one is an ordinary error.
package enum DocumentLimits {
    /// How deep lists and mappings may nest; the outermost is the first level.
    package static let maximumNesting = 64
    /// How many bytes a document may have: 16 MiB.
    package static let maximumBytes = 16 * 1024 * 1024
    /// How many bytes of a document are looked at to find out whether it is a capture.
    static let captureStart = 65_536
    /// How many errors, and how many warnings, are kept for one file.
    package static let maximumDiagnostics = 100
    /// How many characters of a source line a diagnostic shows.
    package static let excerptLength = 120
    /// How many characters of the user's text a message repeats.
    package static let quotationLength = 80
    /// The longest word that is compared for a suggestion.
    package static let suggestionLength = 100
    /// The longest duration: 100 years of 365 days, in seconds.
    package static let maximumDuration = 100 * 365 * 86_400
}
