import Testing

@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// Texts with what looks like a device ID or an address, wherever it is.
@Suite struct RedactorTests {
    private static let redactor = Redactor(PseudonymKey(from: Array("a key of sixteen bytes".utf8)))
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    struct Row: LabelledRow {
        let text: String
        // With `D` for a name of a device and `A` for one of an address.
        let expected: String
    }

    private static let rows = [
        Row(text: bob, expected: "D"), Row(text: "id: \(bob), too", expected: "id: D, too"),
        Row(text: "\"\(bob)\"", expected: "\"D\""), Row(text: "id:\(bob)", expected: "id:D"),
        // An escape before it.
        Row(text: "\\n\(bob)", expected: "\\nD"), Row(text: "abc0\(bob)\(bob)", expected: "abc0DD"),
        Row(text: "ip 192.0.2.82.", expected: "ip A."), Row(text: "10.0.0.0/8", expected: "A/8"),
        Row(text: "x192.0.2.82x", expected: "xAx"), Row(text: "1.2.3.4:8080", expected: "A:8080"),
        Row(text: "[2001:db8::1]", expected: "[A]"), Row(text: "::1", expected: "A"),
        Row(text: "::ffff:192.0.2.1 ", expected: "A "), Row(text: "2001:DB8:0:0:0:0:0:1,", expected: "A,"),
        Row(text: "\\n2001:db8::1", expected: "\\nA"),
        Row(text: "a: fe80:0:0:1: b", expected: "a: A: b"), Row(text: ":fe80::1", expected: ":A"),
        // Texts with neither.
        Row(text: "07:00:31: on time", expected: "07:00:31: on time"),
        Row(text: "2020-07-23T10:00:00Z", expected: "2020-07-23T10:00:00Z"),
        Row(text: "::error file=a.yaml,line=4::it fails", expected: "::error file=a.yaml,line=4::it fails"),
        Row(text: "iOS, 13.5.1", expected: "iOS, 13.5.1"), Row(text: "a.yaml:4:7: no", expected: "a.yaml:4:7: no"),
        Row(
            text: "Rbt92ndcil8FXW5ZuLsb+L0j6gbBKDMIRnkrKmghb0o=",
            expected: "Rbt92ndcil8FXW5ZuLsb+L0j6gbBKDMIRnkrKmghb0o="
        ),
        Row(text: "++FilteredSecPolicy++w==", expected: "++FilteredSecPolicy++w=="),
        Row(text: "", expected: ""), Row(text: "naïve – 5.2(120)", expected: "naïve – 5.2(120)"),
    ]

    @Test(arguments: rows) func identitiesAreReplacedWhereverTheyStand(_ row: Row) {
        let redacted = Self.redactor.text(row.text)
            .replacing(/device-[a-z2-7]{12}/, with: "D").replacing(/address-[a-z2-7]{12}/, with: "A")
        expect(redacted, equals: row.expected)
    }

    @Test func equalStaysEqualAndDifferentDifferent() throws {
        let device = try #require(DeviceID(Self.bob))
        expect(Self.redactor.text("x \(Self.bob)"), equals: "x \(Self.redactor.name(of: device))")
        expect(Self.redactor.value(Self.bob, of: "device-id"), equals: Self.redactor.name(of: device))
        expect(Self.redactor.value("192.0.2.1", of: "ip"), equals: Self.redactor.text("192.0.2.1"))
        #expect(Self.redactor.text("192.0.2.1") != Self.redactor.text("192.0.2.2"))
        let other = Redactor(PseudonymKey(from: Array("another key of bytes".utf8)))
        #expect(other.name(of: device) != Self.redactor.name(of: device))
        let names = (0..<20_000).map { Self.redactor.value("\($0)", of: "user-property") }
        expect(Set(names).count, equals: names.count)
    }

    // HMAC-SHA-256 of "device|…" under HMAC-SHA-256 of the key under "redaction v1", worked out by Python's hmac; the lowest
    // five bits of each of the first twelve bytes.
    @Test func namesAreThoseOfAnotherImplementation() throws {
        let device = try #require(DeviceID(Self.bob))
        expect(Self.redactor.name(of: device), equals: "device-5zgzwdg6onuk")
    }

    @Test(arguments: [
        ("device", "iOS, 13.5.1", "iOS, 13.5.1"), ("app-version", "5.2", "5.2"), ("public-flags", "rooted", "rooted"),
    ]) func whatSaysNothingOfPeopleIsShown(key: String, value: String, shown: String) {
        expect(Self.redactor.value(value, of: key), equals: shown)
    }

    @Test(arguments: [
        ("user-property", "property-"), ("probe-result", "value-"), ("new-key", "value-"), ("ip", "address-"),
    ])
    func whatMaySaySomethingIsHidden(key: String, start: String) {
        let shown = Self.redactor.value("alice", of: key)
        #expect(shown.hasPrefix(start) && !shown.contains("alice"))
    }
}
