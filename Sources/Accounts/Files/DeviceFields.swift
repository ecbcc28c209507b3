package import Documents
package import PolicyEngine

/// A device entry in an account file (R6.1).
enum DeviceFields {
    private typealias Key = DeviceEntry.Field

    /// The fields of an entry.
    ///
    /// - Parameter policy: Reads a policy of its own.
    private static func all(
        policy: @escaping @Sendable (Node, inout DocumentReader) -> SecurityPolicy? = { _, _ in nil }
    ) -> [Field<DeviceEntry>] {
        [
            .required(Key.id.rawValue, \.id, .deviceID, "The ID of the device: 22 characters and ==."),
            Field(
                Key.policy.rawValue, RuleForms.policy, "The security policy for this device, in place of the account's."
            ) { node, entry, reader in
                entry.policy = policy(node, &reader)
            } write: {
                DocumentField(Key.policy.rawValue, $0.policy?.description)
            },
            .optional(Key.label.rawValue, \.label, .text, "A name for people."),
            .optional(Key.user.rawValue, \.user, .text, "The person who added the entry."),
            .optional(Key.pinMode.rawValue, \.pinMode, .word, "How the app of this device treats pins."),
            .optional(Key.banMode.rawValue, \.banMode, .word, "Bans the device, or lifts its ban."),
            .optional(
                Key.probeURL.rawValue, \.probeURL, .probeURL,
                "A URL with https that the app of this device tries to reach."),
        ]
    }

    /// Reads an entry of an account.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, account: Account, _ reader: inout DocumentReader) -> DeviceEntry? {
        let isFiltered = node[Key.id.rawValue]?.text == DeviceID.filteredPolicyText
        let fields = all { PolicyLoader.load($0, account: account, isFiltered: isFiltered, &$1) }
        let usual = DeviceEntry(id: DeviceID(first: 0, second: 0))
        guard let entry = fields.read(node, "a device", from: usual, &reader) else { return nil }
        return node[Key.policy.rawValue] != nil && entry.policy == nil ? nil : entry
    }

    /// An entry in a file.
    static func value(of entry: DeviceEntry) -> DocumentValue { all().value(of: entry) }

    static var schema: JSONSchema { all().schema() }
}

extension ValueForm<DeviceID> {
    /// A device ID (R1.1).
    static var deviceID: ValueForm {
        ValueForm(RuleForms.deviceID) { DeviceLoader.id($0, &$2) }
    }
}

extension ValueForm<String> {
    // R6.1: with `https` only.
    fileprivate static var probeURL: ValueForm {
        ValueForm(.text(matching: "[Hh][Tt][Tt][Pp][Ss]://[!-~]+")) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            if DeviceEntry.isProbeURL(text) { return text }
            reader.error(DeviceError.invalidProbeURL(text), at: node.position)
            return nil
        }
    }
}

/// Reads device IDs.
package enum DeviceLoader {
    /// Reads a device ID.
    package static func id(_ node: Node, _ reader: inout DocumentReader) -> DeviceID? {
        guard let text = reader.text(node, "`id`") else { return nil }
        if let id = DeviceID(text) { return id }
        reader.error(DeviceError.invalidID(text), at: node.position, hint: hint(for: text))
        return nil
    }

    // The hint beside the message, which does not name the wrong character.
    private static func hint(for text: String) -> String? {
        if let other = text.unicodeScalars.first(where: { !$0.isASCII }) {
            return "\(String(other).quoted) is not one of these characters"
        }
        let count = text.utf8.count
        return count == DeviceID.length ? nil : "it has \(count) characters instead of \(DeviceID.length)"
    }
}
