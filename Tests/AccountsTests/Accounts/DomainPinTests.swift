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

    static let watched = [
        ("", "added new API domain a.com with type:account, alg:HS256", true),
        (" -pinType remote", "added new API domain a.com with type:account, alg:HS256", true),
        (" -pinType local", "added new API domain a.com with type:account, alg:HS256", false),
        (" -pinType local -port 8443", "added new API domain a.com with type:account, alg:HS256", false),
        (" -pinType none", "added new API domain a.com with type:account, alg:HS256, unpinned", false),
        (" -pinOnly -pinType local", "added new API domain a.com with type:pinOnly", false),
    ]

    @Test("API Monitoring: not without a pin, nor with one that was found locally", arguments: watched)
    func monitoring(options: String, added: String, isWatched: Bool) throws {
        let (account, effects) = try CommandBench.carryOut(["api -add a.com\(options)"], on: "{}")
        #expect(account.apiDomains.map(\.monitorPort) == [isWatched ? 443 : nil])
        let monitoring =
            "enabled continuous monitoring for https://a.com:443 (remove using `approov monitoring -removeAPI`)"
        #expect(effects.map(\.reported) == [[added] + (isWatched ? [monitoring] : [])])
    }
}
