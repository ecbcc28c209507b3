/// What attributes of simulated devices may look like: what a capture can hold, so that one can be printed.
enum AttributeForm {
    // What a capture tells of the record itself.
    private static let reserved = [
        "device-id", "flags-all", "public-flags", "flags", "captured", "time", "rejection-flags", "matched-filters",
    ]

    /// What is wrong with a key, if anything is.
    static func problem(ofKey key: String) -> String? {
        if reserved.contains(key) { return "\(key.quoted) follows from the device and cannot be given" }
        let isSound =
            !key.isEmpty && !key.contains(": ") && !key.hasSuffix(":") && !key.hasPrefix(" ")
            && !key.hasPrefix("--- ") && !key.hasPrefix("getting ") && !key.unicodeScalars.contains(where: isLineEnd)
        return isSound ? nil : "\(key.quoted) cannot be the key of an attribute: a capture could not hold it"
    }

    /// What is wrong with a value, if anything is.
    static func problem(ofValue value: String) -> String? {
        let lines = value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        // A line that goes on with a value starts with a space, and is not blank.
        let isSound =
            !value.unicodeScalars.contains { $0 == "\r" || $0 == "\0" }
            && lines.allSatisfy { $0.first == " " && $0.contains { $0 != " " } }
        return isSound ? nil : "a capture could not hold this value: further lines start with a space"
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\0"
    }
}
