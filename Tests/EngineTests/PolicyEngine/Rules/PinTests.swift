import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which texts are pins is shown in Tests/Files/accounts.
@Suite("R18.1 Pins of API domains") struct PinTests {
    // base64 of the SHA-256 of `leaf` and of `root`, by `printf leaf | openssl dgst -sha256 -binary | base64`.
    private static let leaf = "n5EWH0NDPkmm3m22gNefYBWfLkrJFyYhoShGQoFYRAs="
    private static let root = "SBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I="

    private static func account(_ domains: APIDomain...) throws -> Account {
        var account = try Account.sample()
        for domain in domains { try account.append(domain) }
        return account
    }

    @Test("R18.1 R18.6 a pin is the base64 of 32 bytes, or the name of a key behind `key:`") func pinOfText() {
        for text in [Self.leaf, "key:leaf"] { expect(PublicKeyPin.pin(in: text), equals: Self.leaf) }
        for text in ["key:", "leaf", "", "AAAA", "KEY:leaf"] { #expect(PublicKeyPin.pin(in: text) == nil) }
        expect(PublicKeyPin.pin(ofKeyNamed: "OLD-LEAF"), equals: "vE0tMj/NI7MjkMQC87+QOkorwc30Ahj1ilg9nRUndnw=")
    }

    @Test("R18.6 in a chain a key is named by its pin or by its name alone") func pinInChain() {
        expect(PublicKeyPin.pin(inChain: Self.leaf), equals: Self.leaf)
        expect(PublicKeyPin.pin(inChain: "leaf"), equals: Self.leaf)
        #expect(PublicKeyPin.pin(inChain: "key:leaf") != Self.leaf)
    }

    @Test("Managing Domain Pins: pins are added behind the others, and removed one by one") func addAndRemove() throws {
        var account = try Self.account(APIDomain(name: "a.com"), APIDomain(name: "b.com", type: .pinOnly))
        try expect(account.addPin(Self.root, toDomain: "B.com"), equals: Self.root)
        try expect(account.addPin("key:leaf", toDomain: "b.com"), equals: Self.leaf)
        try expect(account.pins(ofDomain: "b.COM"), equals: [Self.root, Self.leaf])
        try expect(account.pins(ofDomain: "a.com"), equals: [])
        try expect(account.removePin("key:root", fromDomain: "b.com"), equals: Self.root)
        try expect(account.pins(ofDomain: "b.com"), equals: [Self.leaf])
    }

    @Test("R18.1 the managed roots of the name `*` take pins as a domain does") func managedRoots() throws {
        var account = try Self.account(APIDomain(name: "*", type: .pinOnly))
        #expect(account.apiDomains[0].holdsManagedRoots)
        try expect(account.addPin(Self.root, toDomain: "*"), equals: Self.root)
        #expect(throws: ServiceError.invalidDomain("*")) { try account.append(APIDomain(name: "*", type: .keyset)) }
    }

    @Test("a pin that is not there is compared with those that are") func choiceOfPins() {
        let choice = ServiceError.unknownPin("x", domain: "a.com", known: ["y"]).choice
        #expect(choice?.wrong == "x" && choice?.known == ["y"])
        #expect(ServiceError.duplicatePin("x", domain: "a.com").choice == nil)
    }
}
