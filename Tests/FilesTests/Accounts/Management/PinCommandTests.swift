import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The commands for pins (manual, Managing Domain Pins).
@Suite struct PinCommandTests {
    @Test("R18.2a api -setAll says nothing of domains whose chains are not known") func setAll() throws {
        let pin = "Q62DnTGJsy1h+ude8HB5ZjKy0Vhg2pvTzjplWSD3hkk="
        let text = """
            {"a.com": {"secretType": "account", "algorithm": "HS256", "pins": ["\(pin)"]},
             "b.com": {"secretType": "pinOnly", "algorithm": "", "pins": ["JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="]}}
            """
        let folder = try TemporaryFolder(["apis.json": text])
        var context = CommandContext()
        context.chains = KnownChains { $0 == "a.com" ? (["NEW-LEAF", pin], ["NEW-LEAF", pin]) : nil }
        let effect = try #require(
            CommandBench.carryOut(["api -setAll \(folder.path("apis.json"))"], on: "{}", in: context).effects.first)
        expect(effect.printed, equals: ["a.com: matched pin \(pin)"])
        expect(effect.confirmation?.introduction, equals: [])
        expect(effect.reported, equals: ["APIs set successfully"])
    }

    @Test("R16, R18.1 an account takes no pin that is none, nor eleven") func limit() throws {
        let pin = "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="
        var account = Account()
        try account.append(APIDomain(name: "a.com", pins: Array(repeating: pin, count: 10)))
        #expect(throws: ServiceError.pinLimitReached(11, domain: "b.com")) {
            try account.append(APIDomain(name: "b.com", pins: Array(repeating: pin, count: 11)))
        }
        #expect(throws: ServiceError.invalidPin("x", domain: "c.com")) {
            try account.append(APIDomain(name: "c.com", pins: [pin, "x"]))
        }
    }
}
