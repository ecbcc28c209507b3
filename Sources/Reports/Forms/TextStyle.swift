/// How a text report stresses words.
package enum TextStyle: Sendable {
    /// Not at all.
    case plain
    /// With the colours of a terminal.
    case coloured

    func good(_ text: String) -> String { wrapped(text, code: "32") }
    func bad(_ text: String) -> String { wrapped(text, code: "31") }
    func strong(_ text: String) -> String { wrapped(text, code: "1") }

    private func wrapped(_ text: String, code: String) -> String {
        self == .coloured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
