import Testing

@testable import PolicyEngine
@testable import TestSupport

// R1.3 (physical devices, reinstalls, factory resets) is shown with DeviceCheck and with the clients.
@Suite("R1 Identity and time") struct IdentityAndTimeTests {
    struct Identifier: LabelledRow {
        let label: String
        let text: String
        let isIdentifier: Bool
    }

    static let identifiers = [
        Identifier(label: "canonical", text: "h4gubfCFzJu81j/U2BJsdg==", isIdentifier: true),
        Identifier(label: "not canonical", text: "ExampleApproovTokenDID==", isIdentifier: true),
        Identifier(label: "the pseudo device", text: "++FilteredSecPolicy++w==", isIdentifier: true),
        Identifier(label: "every kind of character", text: "AZaz09+/AZaz09+/AZaz09==", isIdentifier: true),
        Identifier(label: "empty", text: "", isIdentifier: false),
        Identifier(label: "a character short", text: "h4gubfCFzJu81j/U2BJsd==", isIdentifier: false),
        Identifier(label: "a character long", text: "h4gubfCFzJu81j/U2BJsdgg==", isIdentifier: false),
        Identifier(label: "one `=`", text: "h4gubfCFzJu81j/U2BJsdgA=", isIdentifier: false),
        Identifier(label: "no `=`", text: "h4gubfCFzJu81j/U2BJsdgAA", isIdentifier: false),
        Identifier(label: "`=` inside", text: "h4gubfCFzJu=1j/U2BJsdg==", isIdentifier: false),
        Identifier(label: "three `=`", text: "h4gubfCFzJu81j/U2BJsd===", isIdentifier: false),
        Identifier(label: "base64 for addresses", text: "h4gubfCFzJu81j_U2BJsdg==", isIdentifier: false),
        Identifier(label: "base64 for addresses, minus", text: "h4gubfCFzJu81j-U2BJsdg==", isIdentifier: false),
        Identifier(label: "space before", text: " h4gubfCFzJu81j/U2BJsd==", isIdentifier: false),
        Identifier(label: "line break behind", text: "h4gubfCFzJu81j/U2BJsdg==\n", isIdentifier: false),
        Identifier(label: "another alphabet", text: "h4gubfCFzJu81j/U2BJs\u{E9}==", isIdentifier: false),
    ]

    @Test("R1.1 a device ID is 22 characters of base64 and two `=`", arguments: identifiers)
    func identifierHasItsForm(_ row: Identifier) {
        #expect(DeviceID(row.text)?.description == (row.isIdentifier ? row.text : nil))
    }

    @Test("R1.1 the identity is the text, not the decoded bytes") func identityIsTheText() throws {
        var service = Service(try .sample())
        // Both decode to 1316a6a65780a69ae8a2f4e891e9c320.
        #expect(try service.attest(by: "ExampleApproovTokenDID==").flags == ["new-did"])
        #expect(try service.attest(by: "ExampleApproovTokenDIA==").flags == ["new-did"])
        #expect(try service.attest(by: "ExampleApproovTokenDID==").flags == [])
        #expect(DeviceID("ExampleApproovTokenDID==") != DeviceID("ExampleApproovTokenDIA=="))
    }

    @Test("R1.2 the pseudo device is told from devices") func pseudoDeviceIsKnown() {
        #expect(DeviceID.filteredPolicyText == "++FilteredSecPolicy++w==")
        #expect(DeviceID("++FilteredSecPolicy++w==")?.isFilteredPolicy == true)
        #expect(DeviceID("++FilteredSecPolicy++g==")?.isFilteredPolicy == false)
        #expect(DeviceID(Sample.device)?.isFilteredPolicy == false)
    }

    @Test("R1.2 the pseudo device takes no pin mode", arguments: PinMode.allCases)
    func pseudoDeviceTakesNoPinMode(_ mode: PinMode) throws {
        var account = try Account.sample()
        var entry = try account.entry(Sample.filteredPolicy, "alt-rules,default,default")
        entry.pinMode = mode
        #expect(throws: DeviceError.modeOnFilteredPolicy("pin")) { try account.append(entry) }
        #expect(throws: DeviceError.modeOnFilteredPolicy("pin")) { try account.set(entry) }
        #expect(account.devices.isEmpty)
    }

    @Test("R1.2 the pseudo device takes no ban mode", arguments: BanMode.allCases)
    func pseudoDeviceTakesNoBanMode(_ mode: BanMode) throws {
        var account = try Account.sample()
        try account.set(account.entry(Sample.filteredPolicy, "alt-rules,default,default"))
        let entry = try account.entry(Sample.filteredPolicy, banMode: mode)
        #expect(throws: DeviceError.modeOnFilteredPolicy("ban")) { try account.set(entry) }
        #expect(account.devices.first?.banMode == nil)
    }

    // R1.4: that nothing reads the clock shows in that equal runs are equal.
    @Test("R1.4 equal attestations give equal decisions") func runsAreEqual() throws {
        var first = try RandomRun(seed: 7)
        var second = try RandomRun(seed: 7)
        for _ in 0..<50 { #expect(try first.step().actual == second.step().actual) }
    }
}
