internal import Accounts
internal import Documents
internal import PolicyEngine

/// What attributes of simulated devices may look like: what a capture can hold, so that one can be printed.
///
/// Captures are read by bytes, and so this looks at bytes.
enum AttributeForm {
    // What a capture tells of the record itself.
    private static let reserved = InformationKeys.ofRecord.map { Array($0.utf8) }

    // With these a line of a capture is something else than an attribute.
    private static let prefixes = [" ", "--- ", "getting ", "captured:"].map { Array($0.utf8) }

    /// What is wrong with a key, if anything is.
    static func problem(ofKey key: String) -> String? {
        let bytes = Array(key.utf8)
        if reserved.contains(bytes) { return "\(key.quoted) follows from the device and cannot be given" }
        let isSound =
            !bytes.isEmpty && !prefixes.contains { bytes.starts(with: $0) } && !bytes.contains(where: endsLine)
            && !zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: ":") && $1 == UInt8(ascii: " ") }
        return isSound ? nil : "\(key.quoted) cannot be the key of an attribute: a capture could not hold it"
    }

    /// What is wrong with a value, if anything is.
    static func problem(ofValue value: String) -> String? {
        let lines = value.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst()
        // A line that goes on with a value starts with a space, and is not blank.
        let space = UInt8(ascii: " ")
        let isSound =
            !value.utf8.contains { $0 == UInt8(ascii: "\r") || $0 == 0 }
            && lines.allSatisfy { $0.first == space && $0.contains { $0 != space } }
        return isSound ? nil : "a capture could not hold this value: further lines start with a space"
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == 0
    }
}
