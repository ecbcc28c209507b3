package import Documents
internal import PolicyEngine

/// Why no capture could be generated, or only a part of one.
package enum GenerationFailure: Error, Hashable, Sendable {
    /// A capture is one of a single account.
    case severalAccounts
    /// The scenario has no devices.
    case nobody
    /// The times would not have four digits for the year.
    case tooLate
    /// No rhythm lets anyone attest in the span.
    case noActivity
    /// The capture could not be written.
    case output(path: String, FileFailure)
}

extension GenerationFailure {
    /// The failure for people.
    ///
    /// - Parameter file: The scenario.
    package func diagnostic(file: String) -> Diagnostic {
        switch self {
        case .severalAccounts:
            Diagnostic(
                file: file, message: "a scenario with several accounts cannot be generated from",
                hint: "a capture is one of a single account")
        case .nobody: Diagnostic(file: file, message: "the scenario has no devices")
        case .tooLate: Diagnostic(file: file, message: "the capture would go beyond the year 9999")
        case .noActivity:
            Diagnostic(
                file: file, message: "nobody attests in that time: `rhythm` has nothing but 0 there",
                hint: "the hours of `rhythm` are those of UTC")
        case .output(let path, let failure):
            Diagnostic(
                file: path == OutputFile.standardOutput ? "standard output" : path, message: failure.description)
        }
    }
}
