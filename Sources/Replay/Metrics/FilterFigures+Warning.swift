package import Documents

extension Figures.FilterFigures {
    /// Warns that the filter's regex hit its match limit (R7.2).
    ///
    /// - Parameter file: What the warning is about, as it is shown to the user.
    package func limitWarning(file: String) -> Diagnostic {
        Diagnostic(
            severity: .warning, file: file,
            message: "the regex of filter \(name.quoted) hit its match limit \(limitHits.grouped) times; "
                + "that counts as no match",
            hint: "a pattern without nested repetition does not")
    }
}
