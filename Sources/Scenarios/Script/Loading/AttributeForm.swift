internal import Accounts
internal import Documents
internal import PolicyEngine

extension ValueForm<[DeviceGroup.Attribute]> {
    /// Attributes, which are drawn or the same for all; the schema has their form as a definition.
    ///
    /// - Parameter isChecked: True if a key that the service does not collect gives a warning.
    static func attributes(isChecked: Bool) -> ValueForm {
        ValueForm(.reference(to: "attributes")) { node, what, reader in
            var attributes: [DeviceGroup.Attribute] = []
            for entry in reader.mapping(node, what)?.entries ?? [] {
                if let problem = AttributeForm.problem(ofKey: entry.key) {
                    reader.error(problem, at: entry.keyPosition)
                    continue
                }
                if isChecked, !InformationKeys.given.contains(entry.key) {
                    reader.warning(
                        "\(entry.key.quoted) is not an attribute that the service collects", at: entry.keyPosition,
                        hint: Suggestion.hint(for: entry.key, among: InformationKeys.given))
                }
                if let source = AttributeSource.source(entry, &reader) {
                    attributes.append(DeviceGroup.Attribute(key: entry.key, source: source))
                }
            }
            return attributes
        }
    }
}

extension AttributeSource {
    // The source of an attribute's values; `nil` after noting an error.
    fileprivate static func source(_ entry: Node.Entry, _ reader: inout DocumentReader) -> AttributeSource? {
        switch entry.value.content {
        case .mapping: return choice(entry, &reader)
        // Empty text is a value, where quotes say that it is meant.
        case .scalar("", isPlain: false): return .text("")
        default:
            let text = reader.text(entry.value, entry.key.quoted)
            return text.flatMap { source($0, ofKey: entry.key, at: entry.value.position, &reader) }
        }
    }

    // A text, or for `ip` a block.
    private static func source(
        _ text: String, ofKey key: String, at position: SourcePosition, _ reader: inout DocumentReader
    ) -> AttributeSource? {
        if let problem = AttributeForm.problem(ofValue: text) {
            reader.error(problem, at: position)
            return nil
        }
        if key == "app-cert", Account.shortenedFingerprint(text) == nil {
            reader.warning(
                "\(text.quoted) is not a fingerprint, so the app is signed with no certificate of an account",
                at: position,
                hint: "bytes are joined by colons, such as `C0:F3:15:9B:A5:6C:A8:E1`")
        }
        guard key == "ip", text.contains("/") else { return .text(text) }
        if let block = AddressBlock(text) { return .block(block) }
        reader.error(
            "\(text.quoted) is not a block of addresses", at: position,
            hint: "such as 10.0.0.0/8, with no bits behind the prefix")
        return nil
    }

    private static func choice(_ entry: Node.Entry, _ reader: inout DocumentReader) -> AttributeSource? {
        guard var fields = reader.mapping(entry.value, entry.key.quoted) else { return nil }
        let node = fields.require("choose", &reader)
        fields.finish(&reader)
        guard let node, let options = reader.mapping(node, "`choose`")?.entries else { return nil }
        var (choices, total): ([(source: AttributeSource, upTo: Percentage)], Percentage) = ([], .zero)
        for option in options {
            guard let share = reader.percentage(option.value, option.key.quoted),
                let source = source(option.key, ofKey: entry.key, at: option.keyPosition, &reader)
            else { return nil }
            guard let sum = Percentage.sum([total, share]) else { break }
            total = sum
            choices.append((source, total))
        }
        guard choices.count == options.count, choices.last?.upTo == .hundred else {
            reader.error("the shares of `choose` must add up to 100%", at: node.position)
            return nil
        }
        return .choice(choices)
    }
}

extension AttributeForm {
    /// The schema of attributes.
    static var schema: JSONSchema {
        let valid = "[^\\r\\n]*(\\n +[^ \\r\\n][^\\r\\n]*)*"
        let choices = JSONSchema.map(of: .percentage, keys: .text(matching: valid), atLeast: 1)
        let value = JSONSchema.any(of: [
            JSONSchema([("type", .list([.text("number"), .text("boolean")]))]), .text(matching: valid),
            .object(
                [("choose", choices.described(as: "Values, each with the share of devices that has it."))],
                required: ["choose"]),
        ])
        let reserved = InformationKeys.ofRecord.joined(separator: "|")
        let key = "(?!(\(reserved))$)(?! |--- |getting |captured:)(?!.*: )[^\\r\\n]+"
        return .map(of: value, keys: .text(matching: key).naming(.attribute))
    }
}

/// The valid forms of attributes of simulated devices: those that a capture can hold, so that one can be printed.
///
/// Captures are read by bytes, and so this looks at bytes.
enum AttributeForm {
    // The keys under which a capture describes the record itself.
    private static let reserved = InformationKeys.ofRecord.map { Array($0.utf8) }

    // The beginnings with which a line of a capture is something else than an attribute.
    private static let prefixes = [" ", "--- ", "getting ", "captured:"].map { Array($0.utf8) }

    /// The problem of a key, in words; `nil` if it is valid.
    static func problem(ofKey key: String) -> String? {
        let bytes = Array(key.utf8)
        if reserved.contains(bytes) { return "\(key.quoted) is derived from the device and cannot be given" }
        let isSound =
            !bytes.isEmpty && !prefixes.contains { bytes.starts(with: $0) } && !bytes.contains(where: endsLine)
            && !zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: ":") && $1 == UInt8(ascii: " ") }
        return isSound ? nil : "\(key.quoted) cannot be the key of an attribute: a capture could not hold it"
    }

    /// The problem of a value, in words; `nil` if it is valid.
    static func problem(ofValue value: String) -> String? {
        let lines = value.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst()
        // A line that continues with a value starts with a space, and is not blank.
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
