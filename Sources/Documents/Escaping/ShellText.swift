/// Text for the shell (POSIX).
package enum ShellText {
    /// A word as a shell takes it; within single quotes it changes nothing.
    package static func word(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(plain.contains)
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,%+=@".utf8)
}
