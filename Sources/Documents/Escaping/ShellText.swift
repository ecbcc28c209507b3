/// Text for the shell (POSIX).
package enum ShellText {
    /// A word as a shell takes it; within single quotes it changes nothing.
    package static func word(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(plain.contains)
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// The path of a file as an operand: with a dash in front it would be taken for an option.
    package static func operand(_ path: String) -> String {
        word(path.hasPrefix("-") && path != "-" ? "./" + path : path)
    }

    /// An option with its value, which needs `=` where it begins with a dash.
    package static func option(_ name: String, _ value: String) -> String {
        value.hasPrefix("-") ? word("\(name)=\(value)") : "\(name) \(word(value))"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,%+=@".utf8)
}
