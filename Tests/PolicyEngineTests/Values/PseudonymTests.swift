import Testing

@testable import PolicyEngine

/// The names were worked out with Python's hmac: twelve bytes of HMAC-SHA-256, five bits of each.
@Suite("Names that stand for others") struct PseudonymTests {
    private static let key = PseudonymKey(from: Array("some key".utf8))

    @Test(
        "a name follows from key, kind and text",
        arguments: [
            ("1.2.3.4", "ip", "zgcu6r45t7da"), ("1.2.3.4", "device", "qnjxbc4illto"), ("", "ip", "waz7kdft6jri"),
        ])
    func names(text: String, kind: String, name: String) {
        #expect(Self.key.name(for: text.utf8, kind: kind) == name)
    }

    @Test("keys of chance give other names each time") func random() {
        let names = (0..<4).map { _ in PseudonymKey.random().name(for: "1.2.3.4".utf8, kind: "ip") }
        #expect(Set(names).count == 4)
        #expect(names.allSatisfy { $0.utf8.count == 12 })
    }
}
