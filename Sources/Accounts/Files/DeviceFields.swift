package import Documents
package import PolicyEngine

/// A device entry in an account file (R6.1).
enum DeviceFields {
    /// The keys of an entry, in their usual order.
    typealias Key = DeviceEntry.Field

    /// Reads an entry.
    ///
    /// - Returns: The entry and the position of its ID; `nil` after noting an error.
    static func load(
        _ node: Node, account: Account, _ reader: inout DocumentReader
    ) -> (entry: DeviceEntry, position: SourcePosition)? {
        guard var mapping = reader.mapping(node, "a device") else { return nil }
        let idNode = mapping.require(Key.id, &reader)
        let id = idNode.flatMap { DeviceLoader.id($0, &reader) }
        let policyNode = mapping.take(Key.policy)
        let policy = policyNode.flatMap {
            PolicyLoader.load($0, account: account, isFiltered: id?.isFilteredPolicy == true, &reader)
        }
        let label = mapping.text(Key.label, &reader)
        let user = mapping.text(Key.user, &reader)
        let pinMode: PinMode? = mapping.word(Key.pinMode, &reader)
        let banMode: BanMode? = mapping.word(Key.banMode, &reader)
        let probeURL = mapping.take(Key.probeURL).flatMap { self.probeURL($0, &reader) }
        mapping.finish(&reader)
        guard let id, let position = idNode?.position, policyNode == nil || policy != nil else { return nil }
        let entry = DeviceEntry(
            id: id, policy: policy, label: label, user: user, pinMode: pinMode, banMode: banMode, probeURL: probeURL)
        return (entry, position)
    }

    // R6.1: with `https` only.
    private static func probeURL(_ node: Node, _ reader: inout DocumentReader) -> String? {
        guard let text = reader.text(node, Key.probeURL.rawValue.quoted) else { return nil }
        if DeviceEntry.isProbeURL(text) { return text }
        reader.error(DeviceError.invalidProbeURL(text), at: node.position)
        return nil
    }

    /// The fields of an entry in a file.
    static func fields(of entry: DeviceEntry) -> [DocumentField] {
        Key.allCases.map { DocumentField($0.rawValue, text(of: $0, entry)) }
    }

    private static func text(of key: Key, _ entry: DeviceEntry) -> String? {
        switch key {
        case .id: entry.id.description
        case .policy: entry.policy?.description
        case .label: entry.label
        case .user: entry.user
        case .pinMode: entry.pinMode?.rawValue
        case .banMode: entry.banMode?.rawValue
        case .probeURL: entry.probeURL
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
