package import Documents
package import PolicyEngine

/// Reads device entries (R6.1).
package enum DeviceLoader {
    /// Reads an entry.
    ///
    /// - Returns: The entry and where its ID stands; `nil` after noting an error.
    static func load(
        _ node: Node, account: Account, _ reader: inout DocumentReader
    ) -> (entry: DeviceEntry, position: SourcePosition)? {
        guard var mapping = reader.mapping(node, "a device") else { return nil }
        let idNode = mapping.require("id", &reader)
        let id = idNode.flatMap { self.id($0, &reader) }
        let policyNode = mapping.take("policy")
        let policy = policyNode.flatMap {
            PolicyLoader.load($0, account: account, isFiltered: id?.isFilteredPolicy == true, &reader)
        }
        let label = mapping.take("label").flatMap { reader.text($0, "`label`") }
        let user = mapping.take("user").flatMap { reader.text($0, "`user`") }
        let pinMode = mapping.take("pin-mode").flatMap {
            reader.choice($0, "`pin-mode`", from: PinMode.allCases.map(\.rawValue)).flatMap(PinMode.init)
        }
        let banMode = mapping.take("ban-mode").flatMap {
            reader.choice($0, "`ban-mode`", from: BanMode.allCases.map(\.rawValue)).flatMap(BanMode.init)
        }
        let probeURL = mapping.take("probe-url").flatMap { self.probeURL($0, &reader) }
        mapping.finish(&reader)
        guard let id, let position = idNode?.position, policyNode == nil || policy != nil else { return nil }
        let entry = DeviceEntry(
            id: id, policy: policy, label: label, user: user, pinMode: pinMode, banMode: banMode, probeURL: probeURL)
        return (entry, position)
    }

    // R6.1: with `https` only.
    private static func probeURL(_ node: Node, _ reader: inout DocumentReader) -> String? {
        guard let text = reader.text(node, "`probe-url`") else { return nil }
        if DeviceEntry.isProbeURL(text) { return text }
        reader.error(DeviceError.invalidProbeURL(text).description, at: node.position)
        return nil
    }

    /// Reads a device ID.
    package static func id(_ node: Node, _ reader: inout DocumentReader) -> DeviceID? {
        guard let text = reader.text(node, "`id`") else { return nil }
        if let id = DeviceID(text) { return id }
        reader.error(DeviceError.invalidID(text).description, at: node.position, hint: hint(for: text))
        return nil
    }

    // What the message itself does not say.
    private static func hint(for text: String) -> String? {
        if let other = text.unicodeScalars.first(where: { !$0.isASCII }) {
            return "\(String(other).quoted) is not one of these characters"
        }
        let count = text.utf8.count
        return count == DeviceID.length ? nil : "it has \(count) characters instead of \(DeviceID.length)"
    }
}
