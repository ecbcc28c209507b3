package import PolicyEngine

/// Replaces what says who somebody is by short names: device IDs, addresses, user properties. Equal ones stay equal.
package struct Redactor: Sendable {
    private let key: PseudonymKey

    /// - Parameter key: The key that the names are made with.
    package init(_ key: PseudonymKey) {
        self.key = key
    }

    private enum Kind: String, CaseIterable { case device, address, property, value }

    private func name(_ text: some Sequence<UInt8>, _ kind: Kind) -> String {
        "\(kind.rawValue)-\(key.name(for: text, kind: kind.rawValue))"
    }

    /// The name of a device: `device-` and twelve letters and digits.
    package func name(of device: DeviceID) -> String { name(Array(device.description.utf8), .device) }

    /// True if a text has the form of the name of a device.
    package static func isDeviceName(_ text: String) -> Bool { isName(text, .device) }

    /// True if a word of a text has the form of a name of whatever kind.
    package static func hasName(in text: String) -> Bool {
        let words = text.split { !($0 == "-" || $0.isLetter || $0.isNumber) }
        return words.contains { word in Kind.allCases.contains { isName(word, $0) } }
    }

    private static func isName(_ text: some StringProtocol, _ kind: Kind) -> Bool {
        let start = "\(kind.rawValue)-"
        return text.hasPrefix(start) && PseudonymKey.isName(String(text.dropFirst(start.count)))
    }

    // Attributes that say of which kind devices and apps are, and so not whose they are.
    private static let plainKeys: Set<String> = [
        "device", "archid", "sdkid", "sdk-version", "app-name", "app-version", "appid", "app-id-sig", "app-sig",
        "app-cert", "attest-reason", "flags", "flags-all", "public-flags", "rejection-flags", "time",
    ]

    /// A value of an attribute: as it is where it says nothing of people, else a name.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - key: Its key; one that is not known is taken for one that says something of people.
    package func value(_ text: String, of key: String) -> String {
        let attribute = (try? RecordKey(key))?.attribute ?? key
        if Self.plainKeys.contains(attribute) { return self.text(text) }
        if let device = DeviceID(text) { return name(of: device) }
        let isAddress = attribute == "ip"
        return name(text.utf8, isAddress ? .address : attribute == "user-property" ? .property : .value)
    }

    /// A word that somebody chose, such as one of a management command.
    package func word(_ text: String) -> String {
        let redacted = self.text(text)
        return redacted == text ? name(text.utf8, .value) : redacted
    }

    /// A text without what looks like a device ID or an address, wherever it is.
    ///
    /// - Complexity: O(length).
    package func text(_ text: String) -> String {
        String(decoding: bytes(Array(text.utf8)), as: UTF8.self)
    }

    /// The same of bytes.
    package func bytes(_ bytes: [UInt8]) -> [UInt8] {
        var (result, scanner) = ([UInt8](), IdentityScanner(bytes))
        result.reserveCapacity(bytes.count)
        while let (kind, range) = scanner.next() {
            switch kind {
            case .nothing: result += bytes[range]
            case .address: result += name(bytes[range].filter { !IdentityScanner.isEscape($0) }, .address).utf8
            case .device:
                // Digits before an ID, such as those of an escape.
                let start = range.upperBound - DeviceID.length
                result += bytes[range.lowerBound..<start]
                let id = bytes[start..<range.upperBound]
                result += id.elementsEqual(DeviceID.filteredPolicyText.utf8) ? Array(id) : Array(name(id, .device).utf8)
            }
        }
        return result
    }
}
