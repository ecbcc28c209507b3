import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport
@testable import scenario

/// `scenario approov` under a name, registrations in account files, and the JSON of domains (R6.1, R15.1a, R18.1).
@Suite struct ApproovUserTests {
    private static func run(_ line: String, options: [String] = [], in folder: TemporaryFolder) throws -> ToolRun {
        let words = try CommandWords.split(line)
        return ToolRun(["approov", "--account", "@account.yaml"] + options + words, in: folder, input: ["YES"])
    }

    private static let added =
        "registration -add my_app.aab -signature S= -appID a.b -appVersion 2.0[3] -libraryID 1042"
    private static let at = ["--at", "2020-01-01T00:00:00Z"]

    @Test("R6.1 --user names who adds a device") func deviceUser() throws {
        let folder = try TemporaryFolder(["account.yaml": "arc: on\n"])
        _ = try Self.run("device -add h4gubfCFzJu81j/U2BJsdg==", options: ["--user", "A N Other"], in: folder)
        _ = try Self.run("device -add VI2c+UugQ6L7v0wkovXOSg==", options: ["--role", "dev"], in: folder)
        #expect(
            folder["account.yaml"]
                == "arc: on\ndevices:\n  - {id: h4gubfCFzJu81j/U2BJsdg==, user: A N Other}\n"
                + "  - {id: VI2c+UugQ6L7v0wkovXOSg==, user: dev}\n")
        #expect(
            try Self.run("device -removeMatching 'A N Other'", in: folder).output.hasSuffix(
                "removed h4gubfCFzJu81j/U2BJsdg==\n"))
    }

    @Test("R15.1a a registration in an account file, with all that it holds") func registrationKeys() throws {
        let folder = try TemporaryFolder(["account.yaml": "registrations: # ours\n  - {app-sig: A=, appid: a} # old\n"])
        let options = Self.at + ["--role", "dev", "--user", "jo"]
        let run = try Self.run(
            "\(Self.added) -sdk 'Android(2.6.0)' -bundle -versionName special -expireAfter 3d", options: options,
            in: folder)
        #expect(
            run.output == "registering app my_app.aab\n S=a.b-special-1042  SDK:Android(2.6.0)\n"
                + "registration successful, expires 2020-01-04 00:00:00\n")
        var diagnostics = Diagnostics()
        let file = AccountFile(path: "\(folder.path)/account.yaml", diagnostics: &diagnostics)
        let registration = try #require(file?.account.registrations?.last)
        #expect((registration.version, registration.versionName) == ("2.0(3)", "special"))
        #expect((registration.isBundle, registration.libraryID, registration.addedBy) == (true, "1042", "jo"))
        let text = try #require(folder["account.yaml"])
        #expect(
            text.hasPrefix("registrations: # ours\n  - {app-sig: A=, appid: a} # old\n  - {app-sig: S=, appid: a.b, "))
        for field in ["version-name: special", "library-id: ", "bundle: true", "expires: ", "added-by: jo"] {
            #expect(text.contains(field), "\(field) in \(text)")
        }
        // Once more, in place.
        let again = ["--at", "2020-01-02T00:00:00Z", "--role", "dev", "--user", "jo"]
        _ = try Self.run(
            "\(Self.added) -sdk 'Android(2.6.0)' -bundle -versionName special -expireAfter 1d", options: again,
            in: folder)
        #expect(folder["account.yaml"] == text.replacing("2020-01-01T00:00:00Z", with: "2020-01-02T00:00:00Z"))
        #expect(try Self.run("registration -remove S=a.b-special-1042", options: again, in: folder).status == .success)
        #expect(folder["account.yaml"] == "registrations: # ours\n  - {app-sig: A=, appid: a} # old\n")
    }

    @Test("R15.1a what an older file says stays where it is") func olderKeys() throws {
        let old = """
            registrations:
              - app-sig: S= # the release
                appid: a.b
                app-version: 2.0(3)
                library-id: "1042"
                expiry: 2020-01-02T00:00:00Z # soon
              - {app-sig: T=, appid: c}

            """
        let folder = try TemporaryFolder(["account.yaml": old])
        let added = Self.added.replacing(".aab", with: ".apk")
        #expect(try Self.run("\(added) -expireAfter 5d", options: Self.at, in: folder).status == .success)
        let new = old.replacing("2020-01-02T00:00:00Z", with: "\"2020-01-06T00:00:00Z\"")
        let text = try #require(folder["account.yaml"])
        for line in new.split(separator: "\n") { #expect(text.split(separator: "\n").contains(line), "\(text)") }
        #expect(text.contains("added: \"2020-01-01T00:00:00Z\"") && text.contains("added-by: admin"))
        #expect(!text.contains("expires"))
    }

    private static let demonstration = """
          "shapes.approov.io": {
            "secretType": "restricted",
            "algorithm": "HS256",
            "pins": [
              "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="
            ]
          }
        }
        """

    // Manual, Getting All API Configuration; Setting All API Configuration.
    static let samples = [
        """
        {
          "mydomain.com": {
            "secretType": "account",
            "algorithm": "HS256",
            "pins": [],
            "monitorPort": 443
          },
        \(demonstration)
        """,
        """
        {
          "another.domain.com": {
            "secretType": "account",
            "algorithm": "HS256",
            "pins": [
              "/ABoW73P1I3gWumpugB6zzHtqjl0+yFKRBEvJW8I3sQ=",
              "Wp/PdTn4cw7/jwsS9+DnheEm5AbtTEsmVPAGOGY3tHk="
            ]
          },
        \(demonstration)
        """,
    ]

    @Test("Setting All API Configuration: the samples of the manual are taken", arguments: samples)
    func samplesAreTaken(sample: String) throws {
        let pins = "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="
        let managed = "{domain: shapes.approov.io, type: restricted, pins: [\(pins)]}"
        for start in ["apis: [\(managed)]\n", "apis: [{domain: mydomain.com}, \(managed)]\n"] {
            let folder = try TemporaryFolder(["account.yaml": start, "apis.json": sample])
            let set = try Self.run("api -setAll @apis.json", in: folder)
            #expect(set.status == .success && set.output.hasSuffix("APIs set successfully\n"), "\(set.error)")
            _ = try Self.run("api -getAll @again.json", in: folder)
            #expect(folder["again.json"]?.filter { !$0.isWhitespace } == sample.filter { !$0.isWhitespace })
        }
    }

    /// The account, and the chain that the domain presents, if it is known.
    static let managed: [(account: String, chain: String?, isTaken: Bool)] = [
        ("apis: [{domain: shapes.approov.io, pins: [JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=]}]\n", nil, true),
        ("apis: [{domain: shapes.approov.io, pins: [AAAAgD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=]}]\n", nil, false),
        ("apis: [{domain: shapes.approov.io}]\n", nil, false), ("{}\n", nil, false),
        ("apis: [{domain: shapes.approov.io}]\n", "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=", true),
        ("apis: [{domain: shapes.approov.io}]\n", "OTHER", false),
    ]

    @Test("R18.2a the pins of the demonstration domain are the listed ones, or that of the chain", arguments: managed)
    func managedPinsStay(row: (account: String, chain: String?, isTaken: Bool)) throws {
        let backends = row.chain.map { "backends: {shapes.approov.io: {chain: [\($0)]}}\n" } ?? ""
        let folder = try TemporaryFolder([
            "account.yaml": row.account, "apis.json": Self.samples[0], "s.yaml": "scenario: s\n\(backends)",
        ])
        let options = row.chain == nil ? [] : ["--backends=@s.yaml"]
        let run = try Self.run("api -setAll @apis.json", options: options, in: folder)
        #expect(run.status == (row.isTaken ? .success : .invalidInput), "\(run.error)")
        #expect(run.error.contains("the pins of `shapes.approov.io` cannot be changed") != row.isTaken)
        #expect((folder["account.yaml"] == row.account) != row.isTaken)
    }

    @Test("R18.1 a pin of a JSON file that is none is refused at its position") func unsoundPin() throws {
        let text = Self.samples[1].replacing("Wp/PdTn4", with: "Wp_PdTn4")
        let folder = try TemporaryFolder(["account.yaml": "{}\n", "apis.json": text])
        let run = try Self.run("api -setAll @apis.json", in: folder).ending(.invalidInput)
        #expect(
            run.error.contains(
                "apis.json:7:7: `Wp_PdTn4cw7/jwsS9+DnheEm5AbtTEsmVPAGOGY3tHk=` is not a pin of `another.domain.com`; "
                    + "a pin is the base64 of 32 bytes"), "\(run.error)")
    }

    // The list of pins, and what is said of it behind the name of the file.
    static let lists = [
        (
            "[" + Array(repeating: pin, count: 11).joined(separator: ", ") + "]",
            "3:15: 11 pins of `a.com`; there can be at most 10"
        ),
        ("\(pin)", "3:15: domain `a.com`: `pins` must be a list of texts"),
        ("[\(pin),\n   7]", "4:4: domain `a.com`: `pins` must be a list of texts"),
    ]
    private static let pin = "\"JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=\""

    @Test("R18.1 other mistakes in the pins of a JSON file are at their positions, too", arguments: lists)
    func invalidPins(pins: String, message: String) throws {
        let text = "{\"a.com\": {\n    \"secretType\": \"account\",\n      \"pins\": \(pins)}}\n"
        let folder = try TemporaryFolder(["account.yaml": "{}\n", "apis.json": text])
        let run = try Self.run("api -setAll @apis.json", in: folder).ending(.invalidInput)
        #expect(run.error.contains("apis.json:\(message)"), "\(run.error)")
    }
}

/// The certificates of API domains as `scenario approov --backends` and scenarios know them (R18.2a).
@Suite struct ApproovBackendsTests {
    private static let files = [
        "account.yaml": "apis:\n  - {domain: a.com, pins: [key:LEAF]}\n",
        "valid.yaml": "scenario: s\nbackends: {a.com: {chain: [LEAF, CA]}}\n",
        "rotated.yaml": "scenario: s\nbackends: {a.com: {chain: [NEW, CA]}}\n",
    ]

    // printf LEAF | openssl dgst -sha256 -binary | base64
    private static let pin = "IbBPqzGfV8mraNXyRqW2oHFFuWCQe9Mn0tx3U0OVvmk="

    struct Check: Sendable, CustomTestStringConvertible {
        let options: [String]
        let status: scenario.ExitStatus
        let output: String
        var testDescription: String { options.joined(separator: " ") }
    }

    static let checks = [
        Check(options: ["--backends", "@valid.yaml"], status: .success, output: "a.com: matched pin \(pin)\n"),
        Check(options: ["--backends=@rotated.yaml"], status: .expectationFailed, output: "a.com: no pin matches\n"),
        Check(
            options: [], status: .expectationFailed,
            output: "a.com: not accessible, because its certificates are not known\n"),
    ]

    // Manual, Checking API Configuration: "a return code of 0 if it succeeded or 1 if it failed".
    @Test("R18.2a api -check exits with 0 or 1", arguments: checks) func check(_ row: Check) throws {
        let run = try ToolRun(
            ["approov", "--account", "@account.yaml"] + row.options + ["api", "-check"], files: Self.files)
        #expect((run.status, run.output, run.error) == (row.status, row.output, ""))
    }

    @Test("R18.2a the pin of an added domain is written into the account") func addition() throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun("approov --account @account.yaml --yes --backends @valid.yaml api -add b.com", in: folder)
        #expect((run.status, run.error) == (.success, ""))
        // A backend of which nothing is said presents the key that is called as its domain is: printf b.com | openssl …
        let pin = "6mfWA/EnvE0h2oJ/es+R3fFKgJu3PLrfumKrP1b6GkQ="
        let added = "  - {domain: b.com, type: account, alg: HS256, pins: [\(pin)], monitor-port: 443}\n"
        #expect(folder["account.yaml"] == (Self.files["account.yaml"] ?? "") + added)
    }

    @Test("a file of backends that cannot be read changes nothing", arguments: ["none.yaml", "account.yaml"])
    func unreadable(name: String) throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun(
            ["approov", "--account", "@account.yaml", "--yes", "--backends", "@\(name)", "api", "-add", "b.com"],
            in: folder)
        #expect(run.status == .invalidInput && run.output == "" && run.error.contains("error: "))
        #expect(folder["account.yaml"] == Self.files["account.yaml"])
    }

    @Test("R18.2a a change of a compared scenario knows its backends, too", arguments: [[], ["--at", "10s"]])
    func comparison(options: [String]) throws {
        let scenario = """
            scenario: s
            account: {apis: [{domain: a.com}]}
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob, expect: {verdict: pass}}
              - {at: 10m, fetch: bob, domain: b.com, expect: {result: UNKNOWN_URL}}

            """
        let run = try ToolRun(["diff", "@s.yaml", "--change", "api -add b.com"] + options, files: ["s.yaml": scenario])
        #expect(!run.error.contains("are not known"), "\(run.error)")
    }

    // Manual, Setting All API Configuration.
    @Test("R18.2a api -setAll in a scenario warns of chains that have none of the pins") func setAll() throws {
        let scenario = { (chain: String) in
            """
            scenario: s
            backends: {a.com: {chain: [\(chain), CA]}}
            devices: {bob: {}}
            steps:
              - {at: 0s, approov: api -setAll apis.json}
              - {at: 1m, fetch: bob, expect: {verdict: pass}}

            """
        }
        let apis = #"{"a.com": {"secretType": "account", "pins": ["\#(Self.pin)"]}}"#
        for (chain, warns) in [("LEAF", false), ("NEW", true)] {
            let run = try ToolRun("run @s.yaml", files: ["s.yaml": scenario(chain), "apis.json": apis]).ending(.success)
            let warning = "s.yaml:5:23: warning: problem detected with APIs, we do not recommend"
            #expect(run.error.contains(warning) == warns)
        }
    }
}
