import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R6.1, R18.1 Probe URLs and pins") struct ProbeAndPinTests {
    struct Row: LabelledRow {
        let text: String
        let isSound: Bool
        var testDescription: String { text }
    }

    /// `https`, a domain, perhaps a port of 1 to 65535, and perhaps a path.
    static let probes = [
        Row(text: "https://example.com", isSound: true),
        Row(text: "HTTPS://example.com", isSound: true),
        Row(text: "https://example.com/", isSound: true),
        Row(text: "https://example.com/path?query#part", isSound: true),
        Row(text: "https://example.com?query", isSound: true),
        Row(text: "https://example.com#part", isSound: true),
        Row(text: "https://example.com:1", isSound: true),
        Row(text: "https://example.com:443/path", isSound: true),
        Row(text: "https://example.com:65535", isSound: true),
        Row(text: "https://example.com:65536", isSound: false),
        Row(text: "https://example.com:0", isSound: false),
        Row(text: "https://example.com:", isSound: false),
        Row(text: "https://example.com:+443", isSound: false),
        Row(text: "https://example.com:443:443", isSound: false),
        Row(text: "https://", isSound: false),
        Row(text: "https:///path", isSound: false),
        Row(text: "http://example.com", isSound: false),
        Row(text: "example.com", isSound: false),
        Row(text: "https://example.com/a b", isSound: false),
        Row(text: "https://example.com/\u{7F}", isSound: false),
        Row(text: "https://example.com/~", isSound: true),
        Row(text: "https://example.com/!", isSound: true),
        Row(text: "https://example.com/\u{E9}", isSound: false),
    ]

    @Test("R6.1 which text is a probe URL", arguments: probes) func isProbe(_ row: Row) {
        #expect(DeviceEntry.isProbeURL(row.text) == row.isSound)
    }

    /// The first is the SHA-256 of `OLD-LEAF`, by Python's hashlib.
    static let pins = [
        Row(text: "vE0tMj/NI7MjkMQC87+QOkorwc30Ahj1ilg9nRUndnw=", isSound: true),
        Row(text: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", isSound: true),
        // 31 and 33 bytes.
        Row(text: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", isSound: false),
        Row(text: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", isSound: false),
        Row(text: "", isSound: false),
        Row(text: "vE0tMj/NI7MjkMQC87+QOkorwc30Ahj1ilg9nRUndnw= ", isSound: false),
    ]

    @Test("R18.1 a pin is the base64 of 32 bytes", arguments: pins) func isPin(_ row: Row) {
        #expect(PublicKeyPin.isPin(row.text) == row.isSound)
    }

    @Test("R18.6 a name of a key stands for the SHA-256 of its text") func pinOfName() {
        #expect(PublicKeyPin.pin(ofKeyNamed: "OLD-LEAF") == Self.pins[0].text)
    }
}
