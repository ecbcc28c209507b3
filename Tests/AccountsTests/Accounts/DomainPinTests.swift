import PolicyEngine
import Testing

@testable import Accounts
@testable import Scenarios
@testable import TestSupport

/// Pins of API domains (R18.1), and which domains are watched (manual, API Monitoring).
@Suite struct DomainPinTests {
    private static let pin = "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="

    static let unsound = [
        "x", "a=", "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU", "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBV=",
        "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0", "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBUAAA==",
        "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0-BU=", "sha256/JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=", "key:",
    ]

    @Test("R18.1 a pin that is no base64 of 32 bytes is an error where it stands", arguments: unsound)
    func unsoundPin(text: String) {
        let marked = MarkedText("apis:\n  - {domain: a.com, pins: [\(Self.pin), ①'\(text)']}\n")
        let (account, diagnostics) = AccountText.read(marked.text)
        #expect(account == nil)
        #expect(
            MarkedText.found(diagnostics)
                == marked.expected([
                    Problem(
                        "①", "`\(text)` is not a pin; a pin is the base64 of 32 bytes",
                        hint: "`key:NAME` stands for the pin of a key of that name")
                ]))
        var other = Account()
        #expect(throws: ServiceError.invalidPin(text, domain: "a.com")) {
            try other.append(APIDomain(name: "a.com", pins: [Self.pin, text]))
        }
    }

    // printf OLD-LEAF | openssl dgst -sha256 -binary | base64
    @Test("R18.6 the name of a key stands for its pin") func namedKey() throws {
        let account = try AccountText.account("apis: [{domain: a.com, pins: [key:OLD-LEAF, \(Self.pin)]}]")
        #expect(account.apiDomains.map(\.pins) == [["vE0tMj/NI7MjkMQC87+QOkorwc30Ahj1ilg9nRUndnw=", Self.pin]])
    }

    @Test("R16 ten pins of a domain, and not eleven") func limit() throws {
        var account = Account()
        try account.append(APIDomain(name: "a.com", pins: Array(repeating: Self.pin, count: 10)))
        #expect(throws: ServiceError.pinLimitReached(11, domain: "b.com")) {
            try account.append(APIDomain(name: "b.com", pins: Array(repeating: Self.pin, count: 11)))
        }
    }

    struct Addition: Sendable, CustomTestStringConvertible {
        let options: String
        /// The text behind `with` in the answer.
        let attributes: String
        var port: Int?
        var testDescription: String { "api -add\(options)" }

        init(_ options: String, _ attributes: String, port: Int? = nil) {
            (self.options, self.attributes, self.port) = (options, attributes, port)
        }
    }

    // Manual, Pinning For New API Domains, API Monitoring: not without a pin, nor with one that was found locally.
    static let additions = [
        Addition("", "type:account, alg:HS256, pin:\(leaf)", port: 443),
        Addition(" -port 8443", "type:account, alg:HS256, pin:\(leaf)", port: 8443),
        Addition(" -jwe -pinType remote", "type:account, alg:A256GCMKW, pin:\(leaf)", port: 443),
        Addition(" -pinType local -port 8443", "type:account, alg:HS256, pin:\(leaf)"),
        Addition(" -pinType none", "type:account, alg:HS256, unpinned"),
        Addition(" -pinOnly", "type:pinOnly, pin:\(leaf)", port: 443),
    ]

    // printf OLD-LEAF | openssl dgst -sha256 -binary | base64
    private static let leaf = "vE0tMj/NI7MjkMQC87+QOkorwc30Ahj1ilg9nRUndnw="

    @Test("R18.2a an added domain gets the pin of its leaf, and is watched then", arguments: additions)
    func addition(row: Addition) throws {
        var context = CommandContext()
        // The pin of another key is not taken.
        context.chains = KnownChains { $0 == "a.com" ? ["OLD-LEAF", "CA"] : nil }
        let line = "api -add A.com\(row.options)"
        let (account, effects) = try CommandBench.carryOut([line], on: "apis: []", in: context)
        let pins = row.attributes.hasSuffix("unpinned") ? [] : [Self.leaf]
        #expect(account.apiDomains.map(\.pins) == [pins])
        #expect(account.apiDomains.map(\.monitorPort) == [row.port])
        let monitoring = row.port.map {
            "enabled continuous monitoring for https://A.com:\($0) (remove using `approov monitoring -removeAPI`)"
        }
        #expect(
            effects.map(\.reported) == [
                ["added new API domain A.com with \(row.attributes)"] + (monitoring.map { [$0] } ?? [])
            ])
        #expect(effects.map(\.warnings) == [[]])
    }

    @Test(
        "R18.2a where nothing is known of the chain there is no pin, and the answer says so",
        arguments: ["", " -pinType remote", " -port 8443"])
    func unknownChain(options: String) throws {
        let (account, effects) = try CommandBench.carryOut(["api -add a.com\(options)"], on: "apis: []")
        #expect(account.apiDomains.map(\.pins) == [[]] && account.apiDomains.map(\.monitorPort) == [nil])
        #expect(effects.map(\.reported) == [["added new API domain a.com with type:account, alg:HS256, unpinned"]])
        #expect(
            effects.map(\.warnings) == [
                [
                    "nothing is known of what `a.com` presents, so it got no pin and is not watched; `pin -add` adds one"
                ]
            ])
    }
}
