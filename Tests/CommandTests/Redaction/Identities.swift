import Foundation

@testable import TestSupport

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

    /// What of them is found in a text.
    func found(in text: String) -> [String] {
        var found: [String] = []
        Self.forEachPart(of: text) { part in
            if parts.contains(part) { found.append("part \(part) of an ID") }
        }
        for match in text.matches(of: /[0-9]+(\.[0-9]+){3}/) where addresses.contains(String(match.output.0)) {
            found.append(String(match.output.0))
        }
        return found + properties.filter { text.contains($0) }
    }

    private static func forEachPart(of text: String, _ body: (UInt64) -> Void) {
        var part: UInt64 = 0
        for (index, byte) in text.utf8.enumerated() {
            part = part << 8 | UInt64(byte)
            if index >= 7 { body(part) }
        }
    }
}
