/// The user property as the client sends it (R7.8).
package enum UserProperty {
    /// The longest one, in characters; a longer one is ignored.
    static let limit = 128

    /// The text that the service sees of a property: `?` for what is not printable ASCII, and for `"` and `/`.
    ///
    /// - Returns: `nil` when it is too long.
    package static func sent(_ text: String) -> String? {
        guard text.unicodeScalars.count <= limit else { return nil }
        let scalars = text.unicodeScalars.map { scalar in
            isSent(scalar) ? Character(scalar) : "?"
        }
        return String(scalars)
    }

    private static func isSent(_ scalar: Unicode.Scalar) -> Bool {
        0x20...0x7E ~= scalar.value && scalar != "\"" && scalar != "/"
    }
}
