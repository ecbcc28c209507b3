import CLibrary

/// The device IDs, addresses and user properties of captures, and where a text has something of them.
struct Identities {
    private(set) var devices: Set<String> = []
    private(set) var addresses: Set<String> = []
    private(set) var properties: Set<String> = []
    // Every part of an ID of eight bytes, as a number.
    private var parts: Set<UInt64> = []

    /// - Parameter captures: Their texts, device information or JSON Lines.
    init(in captures: [String]) {
        for capture in captures {
            for match in capture.matches(of: /[A-Za-z0-9+\/]{22}==/) { devices.insert(String(match.output)) }
            for match in capture.matches(of: /[0-9]{1,3}(\.[0-9]{1,3}){3}/) { addresses.insert(String(match.output.0)) }
            for match in capture.matches(of: /user-property(?:: |":")([^"\n]+)/) {
                properties.insert(String(match.output.1))
            }
        }
        for device in devices { Self.forEachPart(of: device) { parts.insert($0) } }
    }

    /// The identities that are found in a text.
    ///
    /// - Complexity: O(length), and for each property again.
    func found(in text: String) -> [String] {
        var found: [String] = []
        Self.forEachPart(of: text) { part in
            if parts.contains(part) { found.append("part \(part) of an ID") }
        }
        return found + foundAddresses(in: text) + foundProperties(in: text)
    }

    // Numbers with three points between them, wherever they are among others.
    private func foundAddresses(in text: String) -> [String] {
        var found: [String] = []
        for numbers in text.utf8.split(whereSeparator: { !(0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".")) })
        where numbers.count >= 7 {
            let parts = String(Substring(numbers)).split(separator: ".", omittingEmptySubsequences: false)
            for start in 0..<max(0, parts.count - 3) {
                let address = parts[start..<start + 4].joined(separator: ".")
                if addresses.contains(address) { found.append(address) }
            }
        }
        return found
    }

    // The C library searches megabytes at once, which matters where tests are built without optimisation.
    private func foundProperties(in text: String) -> [String] {
        unsafe text.withCString { start in
            // SAFETY: both are strings that end with a zero and live through the call.
            properties.filter { word in unsafe word.withCString { unsafe strstr(start, $0) != nil } }
        }
    }

    private static func forEachPart(of text: String, _ body: (UInt64) -> Void) {
        var (part, length) = (UInt64(0), 0)
        for byte in text.utf8 {
            // Only digits of base64 are in an ID, and few texts have eight of them in a row.
            let isDigit = byte > 0x2E && byte < 0x7B || byte == UInt8(ascii: "+")
            length = isDigit ? length &+ 1 : 0
            part = part &<< 8 | UInt64(byte)
            if length >= 8 { body(part) }
        }
    }
}
