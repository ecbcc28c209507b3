import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The commands for pins (manual, Managing Domain Pins, Forcing Pin Application).
@Suite struct PinCommandTests {
    private static let pin = "Q62DnTGJsy1h+ude8HB5ZjKy0Vhg2pvTzjplWSD3hkk="
    private static let other = "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="
    private static let account = "apis: [{domain: mydomain.com}, {domain: shapes.approov.io, type: restricted}]"

    @Test("R18.1 pins are added, listed and removed in the words of the manual") func manual() throws {
        let api = "pin -api mydomain.com"
        let (account, effects) = try CommandBench.carryOut(
            ["\(api) -add \(Self.pin)", "\(api) -list", "pin -remove \(Self.pin) -api MYDOMAIN.com", "\(api) -list"],
            on: Self.account)
        #expect(
            effects.map(\.reported) == [
                ["pin \(Self.pin) added to API domain mydomain.com"], [],
                ["removed pin \(Self.pin) from API domain MYDOMAIN.com"], [],
            ])
        #expect(effects.map(\.printed) == [[], [Self.pin], [], []])
        #expect(account.apiDomains.map(\.pins) == [[], []])
        let consequence = "updating the pins will have an immediate impact on your apps in production"
        #expect(effects.map { $0.confirmation?.consequence } == [consequence, nil, consequence, nil])
    }

    @Test("R17.4 forcing changes no account") func force() throws {
        let (account, effects) = try CommandBench.carryOut(["pin -forceApplyPins"], on: Self.account)
        #expect(account == (try AccountText.account(Self.account)))
        #expect(effects.map(\.forcesPins) == [true])
        #expect(effects.map(\.reported) == [["pin update has been forced"]])
        #expect(
            effects.first?.confirmation?.consequence
                == "forcing pin application will have an immediate impact on your apps in production")
    }

    @Test("R18.6 the name of a key stands for its pin in commands, too") func namedKey() throws {
        let (account, effects) = try CommandBench.carryOut(
            ["pin -api mydomain.com -add key:OLD-LEAF"], on: Self.account)
        // printf OLD-LEAF | openssl dgst -sha256 -binary | base64
        let pin = "vE0tMj/NI7MjkMQC87+QOkorwc30Ahj1ilg9nRUndnw="
        #expect(account.apiDomains.first?.pins == [pin])
        #expect(effects.map(\.reported) == [["pin \(pin) added to API domain mydomain.com"]])
    }

    @Test("R18.1 the managed trust roots have pins, and no tokens") func managedRoots() throws {
        let text = "apis: [{domain: '*', pins: [\(Self.other)]}]"
        let (account, effects) = try CommandBench.carryOut(
            ["pin -api '*' -add \(Self.pin)", "pin -api '*' -list"], on: text)
        #expect(account.apiDomains.first?.type == .pinOnly)
        #expect(effects.last?.printed == [Self.other, Self.pin])
        let (_, diagnostics) = AccountText.read("apis: [{domain: '*', type: account}]")
        #expect(
            MarkedText.found(diagnostics) == ["1:17: `*` is not a domain; it has letters, digits, `-` and `.` only"])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let message: String
        var testDescription: String { lines.joined(separator: "; ") }

        init(_ lines: String..., message: String) { (self.lines, self.message) = (lines, message) }
    }

    static let refusals = [
        Refusal(
            "pin -api mydomain.com -add notapin",
            message: "`notapin` is not a pin of `mydomain.com`; a pin is the base64 of 32 bytes; hint: "
                + "`key:NAME` stands for the pin of a key of that name"),
        Refusal(
            "pin -api mydomain.com -remove notapin",
            message: "`notapin` is not a pin of `mydomain.com`; a pin is the base64 of 32 bytes; hint: "
                + "`key:NAME` stands for the pin of a key of that name"),
        Refusal(
            "pin -add \(pin)", message: "`-add` needs `-api`; hint: it names the domain; `api -list` lists them"),
        Refusal(
            "pin -api mydomain.co -list",
            message: "there is no API domain `mydomain.co`; hint: did you mean `mydomain.com`?"),
        Refusal(
            "pin -api mydomain.com -add \(pin)", "pin -api mydomain.com -add \(pin)",
            message: "pin `\(pin)` of `mydomain.com` is there already"),
        Refusal("pin -api mydomain.com -remove \(pin)", message: "API domain `mydomain.com` has no pin `\(pin)`"),
        Refusal(
            "pin -api shapes.approov.io -add \(pin)",
            message: "the pins of `shapes.approov.io` cannot be changed; they are managed for the account"),
    ]

    @Test("R18.1 what cannot be is refused", arguments: refusals) func refused(_ row: Refusal) throws {
        #expect(try CommandBench.refusal(of: row.lines, on: Self.account) == row.message)
    }

    @Test("R16 the eleventh pin") func limit() throws {
        let lines = (1...11).map { "pin -api mydomain.com -add key:K\($0)" }
        #expect(
            try CommandBench.refusal(of: lines, on: Self.account)
                == "11 pins of `mydomain.com`; there can be at most 10")
    }

    @Test("only an administrator changes pins") func roles() throws {
        let context = CommandContext(role: .dev)
        for line in ["pin -api mydomain.com -add \(Self.pin)", "pin -forceApplyPins"] {
            #expect(
                try CommandBench.refusal(of: [line], on: Self.account, in: context)
                    == "an admin role is required; hint: give `--role admin`")
        }
        #expect(try CommandBench.refusal(of: ["pin -api mydomain.com -list"], on: Self.account, in: context) == nil)
    }

    @Test("api -setAll says which pin the chain has, where there is a network") func chains() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            {"a.com": {"secretType": "account", "algorithm": "HS256", "pins": ["\(Self.other)", "\(Self.pin)"]},
             "b.com": {"secretType": "pinOnly", "algorithm": "", "pins": ["\(Self.other)"]},
             "c.com": {"secretType": "account", "algorithm": "HS256", "pins": []}}
            """, to: "apis.json")
        var context = CommandContext()
        context.presentedPins = { _ in [Self.pin] }
        let effect = try #require(
            CommandBench.carryOut(["api -setAll \(path)"], on: "{}", in: context).effects.first)
        #expect(
            effect.printed == ["a.com: matched pin \(Self.pin)", "b.com: no pin matches", "c.com: no pins defined"])
        #expect(
            effect.confirmation?.introduction == [
                "WARNING: problem detected with APIs, we do not recommend you proceed (unless caused by known local "
                    + "firewall issue)"
            ])
        #expect(effect.reported == ["APIs set successfully"])
    }
}
