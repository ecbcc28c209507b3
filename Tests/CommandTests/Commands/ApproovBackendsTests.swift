import Testing

@testable import TestSupport
@testable import scenario

/// The certificates of API domains as `scenario approov --backends` and scenarios know them (R18.2a).
@Suite struct ApproovBackendsTests {
    private static let files = [
        "account.yaml": "apis:\n  - {domain: a.com, pins: [key:LEAF]}\n",
        "sound.yaml": "scenario: s\nbackends: {a.com: {chain: [LEAF, CA]}}\n",
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
        Check(options: ["--backends", "@sound.yaml"], status: .success, output: "a.com: matched pin \(pin)\n"),
        Check(options: ["--backends=@rotated.yaml"], status: .expectationFailed, output: "a.com: no pin matches\n"),
        Check(
            options: [], status: .expectationFailed,
            output: "a.com: not accessible, as nothing is known of what it presents\n"),
    ]

    // Manual, Checking API Configuration: "a return code of 0 if it succeeded or 1 if it failed".
    @Test("R18.2a api -check exits with 0 or 1", arguments: checks) func check(_ row: Check) throws {
        let run = try ToolRun(
            ["approov", "--account", "@account.yaml"] + row.options + ["api", "-check"], files: Self.files)
        #expect((run.status, run.output, run.error) == (row.status, row.output, ""))
    }

    @Test("R18.2a the pin of an added domain is written into the account") func addition() throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun(
            ["approov", "--account", "@account.yaml", "--yes", "--backends", "@sound.yaml", "api", "-add", "b.com"],
            in: folder)
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
        let run = try ToolRun(
            ["diff", "@s.yaml", "--change", "api -add b.com"] + options, files: ["s.yaml": scenario])
        #expect(!run.error.contains("nothing is known of what"), "\(run.error)")
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
            let run = try ToolRun(["run", "@s.yaml"], files: ["s.yaml": scenario(chain), "apis.json": apis])
            #expect(run.status == .success, "\(run.error)")
            let warning = "s.yaml:5:23: warning: problem detected with APIs, we do not recommend"
            #expect(run.error.contains(warning) == warns)
        }
    }
}
