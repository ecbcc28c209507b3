internal import Documents
internal import PolicyEngine
internal import Replay

/// The redaction of devices and people in a command's output.
struct Redaction: Sendable {
    /// Makes the names that replace theirs.
    let redactor: Redactor
    /// True if all that the command writes is redacted, rather than its report alone.
    let isEverywhere: Bool
}

extension Redaction {
    // The words that messages may quote: the program's own.
    private static let words = Set(InformationKeys.all + FlagCatalogue().flags.map(\.name))

    /// A message without its quotations, unless it quotes options only.
    ///
    /// - Parameters:
    ///   - message: The problem of a command line.
    ///   - options: The names of options.
    static func withoutQuotations(_ message: String, but options: Set<String>) -> String {
        let parts = message.split(separator: "`", omittingEmptySubsequences: false)
        let quoted = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        if parts.count % 2 == 1, quoted.allSatisfy(options.contains) { return message }
        let hidden = Diagnostics(Diagnostic(file: "", message: message)).quotingOnly(words, in: "")
        return hidden.all.first?.message ?? ""
    }

    /// Diagnostics without what they quote.
    func hiding(_ diagnostics: Diagnostics) -> Diagnostics {
        guard isEverywhere else { return diagnostics }
        let files = Set(diagnostics.all.map(\.file))
        return files.sorted().reduce(diagnostics) { $0.quotingOnly(Self.words, in: $1) }
    }
}
