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
            message: "pin `\(pin)` of `mydomain.com` exists already"),
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

    private static let watched = """
        apis:
          - {domain: a.com, pins: ["\(other)", "\(pin)"]}
          - {domain: b.com, type: pinOnly, pins: ["\(other)"]}
          - domain: c.com
        """

    // The leaf of `a.com` is another one, and the pin is of the certificate above it.
    private static func context(_ domains: Set<String> = ["a.com", "b.com", "c.com"]) -> CommandContext {
        var context = CommandContext()
        context.chains = KnownChains { domains.contains($0) ? ["NEW-LEAF", pin] : nil }
        return context
    }

    @Test("R18.2a api -setAll says which pin the chain has, and warns, where chains are known") func setAll() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            {"a.com": {"secretType": "account", "algorithm": "HS256", "pins": ["\(Self.other)", "\(Self.pin)"]},
             "b.com": {"secretType": "pinOnly", "algorithm": "", "pins": ["\(Self.other)"]},
             "c.com": {"secretType": "account", "algorithm": "HS256", "pins": []}}
            """, to: "apis.json")
        let warning =
            "WARNING: problem detected with APIs, we do not recommend you proceed (unless caused by known local firewall issue)"
        let rows: [(context: CommandContext, printed: [String], introduction: [String])] = [
            (
                Self.context(), ["a.com: matched pin \(Self.pin)", "b.com: no pin matches", "c.com: no pins defined"],
                [warning]
            ),
            (Self.context(["a.com"]), ["a.com: matched pin \(Self.pin)"], []), (CommandContext(), [], []),
        ]
        for row in rows {
            let effect = try #require(
                CommandBench.carryOut(["api -setAll \(path)"], on: "{}", in: row.context).effects.first)
            #expect(effect.printed == row.printed)
            #expect(effect.confirmation?.introduction == row.introduction)
            #expect(effect.reported == ["APIs set successfully"])
        }
    }

    @Test("R18.2a api -check succeeds only where every domain is known and valid") func check() throws {
        let rows: [(account: String, context: CommandContext, printed: [String], fails: Bool)] = [
            (
                Self.watched, Self.context(),
                ["a.com: matched pin \(Self.pin)", "b.com: no pin matches", "c.com: no pins defined"], true
            ),
            (
                Self.watched.replacing("  - {domain: b.com, type: pinOnly, pins: [\"\(Self.other)\"]}\n", with: ""),
                Self.context(), ["a.com: matched pin \(Self.pin)", "c.com: no pins defined"], false
            ),
            (
                "apis: [{domain: c.com}, {domain: '*', pins: ['key:A']}]", CommandContext(),
                ["c.com: not accessible, because its certificates are not known"], true
            ),
            ("apis: []", CommandContext(), [], false),
        ]
        // Manual: a domain must be accessible, and where it has pins, one must match.
        for row in rows {
            let (account, effects) = try CommandBench.carryOut(["api -check"], on: row.account, in: row.context)
            #expect(effects.map(\.printed) == [row.printed])
            #expect(effects.map(\.failsCheck) == [row.fails])
            #expect(account == (try AccountText.account(row.account)))
        }
    }

    // printf NEW-LEAF | openssl dgst -sha256 -binary | base64
    private static let newLeaf = "0Ctki7GURr9gdozKu4toxrjtMMipmHw+nRsaUKBVxuY="

    @Test("R18.2a what a domain presents is shown in the words of the manual") func chain() throws {
        let lines = [
            "pin -api a.com -getLeafPin matching", "pin -api A.com -getLeafPin local -port 8000",
            "pin -api a.com -getLeafPin remote", "pin -api a.com -getCertChainPins",
        ]
        let (_, effects) = try CommandBench.carryOut(lines, on: "apis: []", in: Self.context())
        #expect(
            effects.flatMap(\.printed) == [
                "matching leaf pin for domain a.com:443 is \(Self.newLeaf)",
                "local leaf pin for domain A.com:8000 is \(Self.newLeaf)",
                "remote leaf pin for domain a.com:443 is \(Self.newLeaf)", "pin \(Self.newLeaf), CN=NEW-LEAF",
                "pin \(Self.pin), CN=unknown",
            ])
        for line in lines.map({ $0.replacing("a.com", with: "x.com").replacing("A.com", with: "x.com") }) {
            #expect(
                try CommandBench.refusal(of: [line], on: "apis: []", in: Self.context())
                    == "the certificates of `x.com` are not known; hint: `backends` of a scenario gives them; "
                    + "`approov --backends` reads it, and `serve` takes `PUT /backends`")
        }
    }

    @Test("R18.2a the pin of a certificate in a file") func certificate() throws {
        let folder = try TemporaryFolder()
        let one = SampleServerCertificate.text
        let first = try folder.write("subject=x\n\(one)", to: "a.crt")
        let two = try folder.write(one + one, to: "b.pem")
        let (_, effects) = try CommandBench.carryOut(
            ["pin -getCertPin \(first)", "pin -getCertPin \(two)"], on: "{}")
        let line =
            "pin \(SampleServerCertificate.pin), expiry 2020-05-10, O=Starfield Technologies\\, Inc.,CN=mydomain.com"
        #expect(effects.map(\.printed) == [[line], [line]])
        #expect(effects.map(\.warnings) == [[], ["file `\(two)` holds 2 certificates, of which this is the first"]])
        let rows = [
            ("der", "\u{30}\u{01}"), ("none", ""), ("cut", String(one.prefix(200))),
            ("key", one.replacing("CERTIFICATE", with: "PUBLIC KEY")),
            ("changed", one.replacing("MIIBYzCC", with: "MIIBYzCD")),
        ]
        for (name, text) in rows {
            let path = try folder.write(text, to: name)
            #expect(
                try CommandBench.refusal(of: ["pin -getCertPin \(path)"], on: "{}")
                    == "file `\(path)` holds no certificate in PEM; hint: `openssl x509 -inform der` makes PEM of one in DER"
            )
        }
    }
}

/// A certificate of O=Starfield Technologies, Inc. and CN=mydomain.com, valid to 2020-05-10T23:59:59Z, made with OpenSSL 3.
private enum SampleServerCertificate {
    /// `openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`.
    static let pin = "gPpUciKla4oHhxEviGUZlVC1pNTwAkXR1L42Cd/WosY="

    static let text = """
        -----BEGIN CERTIFICATE-----
        MIIBYzCCAQoCAQEwCgYIKoZIzj0EAwIwPjEVMBMGA1UEAwwMbXlkb21haW4uY29t
        MSUwIwYDVQQKDBxTdGFyZmllbGQgVGVjaG5vbG9naWVzLCBJbmMuMB4XDTIwMDEx
        MDAwMDAwMFoXDTIwMDUxMDIzNTk1OVowPjEVMBMGA1UEAwwMbXlkb21haW4uY29t
        MSUwIwYDVQQKDBxTdGFyZmllbGQgVGVjaG5vbG9naWVzLCBJbmMuMFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAECYB3cVjDYuHk0/45Y2mtyhofNCI7SPhcVNLaeTuz
        NHwWkAGiXiMc5O94PxtNmdYvTnwb6InFIA1XBGJU8tBNrjAKBggqhkjOPQQDAgNH
        ADBEAiAs6MAgh1NUeFERjlcoQT/Rq/l9PmjN7YMCoUDZbXlLuQIgODdVAoH5ps0+
        qP1Gi3mBNeLZmgc/22dMKb/sHWp/8pg=
        -----END CERTIFICATE-----

        """
}

/// Pins of API domains (R18.1), and which domains are watched (manual, API Monitoring).
@Suite struct DomainPinTests {
    private static let pin = "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="

    static let unsound = [
        "x", "a=", "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU", "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBV=",
        "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0", "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBUAAA==",
        "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0-BU=", "sha256/JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=", "key:",
    ]

    @Test("R18.1 a pin that is not base64 of 32 bytes is an error at its position", arguments: unsound)
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
                    "the certificates of `a.com` are not known, so it got no pin and is not watched; `pin -add` adds one"
                ]
            ])
    }
}
