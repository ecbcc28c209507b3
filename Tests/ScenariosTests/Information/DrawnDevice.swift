import PolicyEngine

@testable import Documents
@testable import TestSupport

/// A device with flags and attributes that are drawn, as odd as a capture can hold them.
struct DrawnDevice {
    let id: String
    let flags: [String]
    let attributes: [(key: String, value: String)]

    init(_ generator: inout SeededGenerator) {
        id = DeviceID(first: generator.next(), second: generator.next()).description
        // One in twenty; those that a service derives need not be given.
        flags = FlagCatalogue().declaredNames.filter { name in
            generator.next() % 20 == 0 && !["new-did", "risky-device"].contains(name)
        }
        var keys = Self.keys.filter { _ in generator.next() % 3 > 0 }
        for number in 0..<(generator.next() % 4) { keys.append("\(number)" + Self.word(&generator)) }
        attributes = keys.map { ($0, Self.value(&generator)) }
    }

    /// The group of a scenario that is this device alone.
    var group: String {
        let attributes = attributes.map { "\(Self.quoted($0.key)): \(Self.quoted($0.value))" }
        return "{id: \(id), flags: [\(flags.joined(separator: ", "))], "
            + "attributes: {\(attributes.joined(separator: ", "))}}"
    }

    /// The attributes of its first attestation: its own, and the reason if it has none of its own (R14.2b).
    var sent: [[UInt8]: [UInt8]] {
        bytes.merging([Array("attest-reason".utf8): Array("launch".utf8)]) { own, _ in own }
    }

    /// The keys and values as bytes, with the ID that every record carries.
    var bytes: [[UInt8]: [UInt8]] {
        var bytes = [Array("device-id".utf8): Array(id.utf8)]
        for (key, value) in attributes { bytes[Array(key.utf8)] = Array(value.utf8) }
        return bytes
    }

    // Those of the manual, and others that look like parts of a capture.
    private static let keys = [
        "device", "archid", "device-props", "sdkid", "sdk-version", "app-name", "app-version", "appid", "app-id-sig",
        "app-sig", "attest-reason", "two words", "a:b", ":x", "::x", "ключ", "🚗", "---",
        "---x",
        "getting", "Captured", "x\ty", "end ", "#", "{}", "-",
    ]

    private static let pieces = [
        "a", "Z", "0", " ", "  ", ":", ": ", ",", "'", "\"", "\\", "#", "{", "}", "%", "é", "e\u{301}", "ß", "日本", "🚗",
        "👨‍👩‍👧", "\t", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{200B}", "\u{7F}", "\u{1}", "--- ", " ---", "getting ",
        "captured: ", "rooted", "device-id: ", "public-flags: rooted", "null", "~", "@", "`",
    ]

    private static func word(_ generator: inout SeededGenerator) -> String {
        let letters = ["a", "Z", "é", "日", "🚗", "_", ".", "/", "(", "=", "\u{301}"]
        return (0..<(generator.next() % 5)).map { _ in pick(letters, &generator) }.joined()
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<(generator.next() % 8)).map { _ in pick(pieces, &generator) }.joined()
    }

    // Empty, of one line, or of several, of which each but the first starts with a space and is not blank.
    private static func value(_ generator: inout SeededGenerator) -> String {
        var value = text(&generator)
        guard generator.next() % 4 == 0 else { return value }
        for _ in 0...(generator.next() % 3) { value += "\n " + text(&generator) + "x" + text(&generator) }
        return value
    }

    private static func pick(_ choices: [String], _ generator: inout SeededGenerator) -> String {
        choices[Int(generator.next() % UInt64(choices.count))]
    }

    // Text as YAML writes it, so that nothing of it has a meaning of its own.
    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            if scalar.isASCII, scalar.properties.isAlphabetic { return String(scalar) }
            let hex = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - hex.count) + hex
        }
        return "\"" + scalars.joined() + "\""
    }
}
