internal import Documents
internal import PolicyEngine
internal import Replay

/// The redaction of devices and people in a command's output.
struct Redaction: Sendable {
    /// Makes the names that replace theirs.
    let redactor: Redactor
    /// True if all that the command writes is redacted, rather than its report alone.
    let isEverywhere: Bool
    /// False if the names are made with a key that nobody can make again.
    let isReproducible: Bool

    // The words that messages may quote: the program's own.
    private static let words = Set(InformationKeys.all + FlagCatalogue().flags.map(\.name))

    /// A message without its quotations, unless these are words of the program.
    ///
    /// - Parameters:
    ///   - message: The problem of a command line.
    ///   - words: The names of options and their values, as messages quote them.
    ///   - arguments: The command line. Nobody can tell where a quotation of it ends if it has back quotes itself; then nothing
    ///     is shown from the first quotation to the last.
    static func withoutQuotations(_ message: String, but words: Set<String>, of arguments: [String]) -> String {
        let quote = UInt8(ascii: "`")
        let parts = message.utf8.split(separator: quote, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        if parts.count % 2 == 1, !arguments.contains(where: { $0.utf8.contains(quote) }) {
            return parts.enumerated().map { index, part in
                index % 2 == 0 ? part : words.contains(part) ? "`\(part)`" : "`…`"
            }.joined()
        }
        let hidden = Diagnostics(Diagnostic(file: "", message: message)).quotingOnly(Self.words, in: "")
        return hidden.all.first?.message ?? ""
    }

    /// Diagnostics without what they quote.
    func hiding(_ diagnostics: Diagnostics) -> Diagnostics {
        guard isEverywhere else { return diagnostics }
        let files = Set(diagnostics.all.map(\.file))
        return files.sorted().reduce(diagnostics) { $0.quotingOnly(Self.words, in: $1) }
    }
}
