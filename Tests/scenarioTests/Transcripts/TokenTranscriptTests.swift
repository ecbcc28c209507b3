import Foundation
import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// The manual's transcripts of tokens and keys, with tokens and keys of ours.
@Suite struct TokenTranscriptTests {
    static let at = ["--at", "2019-05-23T17:16:28Z"]
    static let account = """
        account: test-account
        apis:
          - {domain: my.api.io}
          - {domain: shapes.approov.io, type: restricted}
          - {domain: jwe.com, alg: A256GCMKW}

        """

    final class Shell {
        let folder: TemporaryFolder
        let options: [String]

        init(_ account: String = TokenTranscriptTests.account, _ files: [String: String] = [:], options: [String] = [])
            throws
        {
            folder = try TemporaryFolder(files.merging(["account.yaml": account]) { $1 })
            self.options = options
        }

        /// Carries a command out, confirmed; files are in the folder as `@name`.
        func run(_ words: [String]) -> ToolRun {
            ToolRun(["approov", "--account", "@account.yaml"] + options + words, in: folder, input: ["YES"])
        }

        func run(_ line: String) throws -> ToolRun { run(try CommandWords.split(line)) }

        /// The last line of what a command prints.
        func line(_ line: String) throws -> String {
            let run = try run(line).ending(.success)
            return run.output.split(separator: "\n").last.map(String.init) ?? ""
        }

        func mode(of name: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
            return try #require(attributes[.posixPermissions] as? Int)
        }
    }

    static let confirmed = "If you wish to continue then please enter YES and return: YES\n"

    // Manual, Generating Example Tokens; Generating Example Token with Binding.
    struct Example: Sendable {
        let options: String
        let answer: String
    }

    static let examples = [
        Example(
            options: "my.api.io",
            answer: #"passed: alg:HS256 {"did":"ExampleApproovTokenDID==","exp":1558635388,"ip":"1.2.3.4"}"#),
        // "In the same way that the app provides it": as a whole URL, too.
        Example(
            options: "https://my.api.io:443/v1/items",
            answer: #"passed: alg:HS256 {"did":"ExampleApproovTokenDID==","exp":1558635388,"ip":"1.2.3.4"}"#),
        Example(
            options: "my.api.io -type valid",
            answer: #"passed: alg:HS256 {"did":"ExampleApproovTokenDID==","exp":1558635388,"ip":"1.2.3.4"}"#),
        Example(
            options: "my.api.io -type invalid",
            answer: #"failed: alg:HS256 {"did":"ExampleApproovTokenDID==","exp":1558635388,"ip":"1.2.3.4"}"#),
        Example(
            options: "my.api.io -type failover -setDataHashInToken custom-data",
            answer: #"passed: alg:HS256 {"did":"ExampleApproovTokenDID==","exp":1558635388}"#),
        Example(
            options: "my.api.io -setDataHashInToken custom-data",
            answer: #"passed: alg:HS256 {"did":"ExampleApproovTokenDID==","exp":1558635388,"ip":"1.2.3.4","#
                + #""pay":"tih+xRFV8PMsDhKthuFdvqWtQpKdT+K8X5W3258EJnU="}"#),
        Example(
            options: "shapes.approov.io",
            answer: #"passed: alg:HS256 {"did":"ExampleApproovTokenDID==","exp":1558635388,"ip":"1.2.3.4"}"#),
        Example(
            options: "jwe.com",
            answer: #"passed: alg:A256GCMKW {"did":"ExampleApproovTokenDID==","exp":1558635388,"ip":"1.2.3.4"}"#),
        // "It shows if they are valid and can decode their content, even if they are invalid."
        Example(
            options: "jwe.com -type invalid",
            answer: #"failed: alg:A256GCMKW {"did":"ExampleApproovTokenDID==","exp":1558635388,"ip":"1.2.3.4"}"#),
    ]

    @Test(arguments: examples) func examplesAreChecked(_ row: Example) throws {
        let shell = try Shell(options: Self.at)
        let token = try shell.line("token -genExample \(row.options)")
        #expect(shell.run(["token", "-check", token]).output == row.answer + "\n")
        let late = try Shell(options: ["--at", "2019-05-23T18:16:28Z"])
        let words = row.answer.split(separator: " ", maxSplits: 1)
        #expect(late.run(["token", "-check", token]).output == "\(words[0]) expired \(words[1])\n")
    }

    // Manual, Checking Token Validity: signed with another account's secret.
    @Test func tokensOfOtherAccountsFail() throws {
        let shell = try Shell(options: Self.at)
        let other = try Shell(
            "account: other\napis: [{domain: jwe.com, alg: A256GCMKW}, {domain: a.com}]\n", options: Self.at)
        let signed = try other.line("token -genExample a.com")
        #expect(
            shell.run(["token", "-check", signed]).output
                == #"failed: alg:HS256 {"did":"ExampleApproovTokenDID==","exp":1558635388,"ip":"1.2.3.4"}"# + "\n")
        let encrypted = try other.line("token -genExample jwe.com")
        #expect(shell.run(["token", "-check", encrypted]).output == "failed: alg:A256GCMKW\n")
    }

    // Manual, Checking Token Validity: with codes the flags are listed.
    @Test func codesHoldFlags() throws {
        let shell = try Shell(options: Self.at)
        let account = try #require(Account(name: "test-account") as Account?)
        var claims = TokenClaims(expiry: Instant(secondsSinceEpoch: 1_558_631_788))
        claims.responseCode = "KTF6LXEPX4"
        let token = try TokenSigner(key: account.signingKey).token(claims.json, isValid: false)
        #expect(
            shell.run(["token", "-check", token]).output == """
                failed: expired alg:HS256 {"arc":"KTF6LXEPX4","exp":1558631788}
                device property flags:
                  app-not-registered
                  rooted
                  root-risk
                  xposed

                """)
        claims.responseCode = "AAAAAAAAAA"
        let odd = try TokenSigner(key: account.signingKey).token(claims.json)
        #expect(shell.run(["token", "-check", odd]).output.hasSuffix("\narc invalid\n"))
        let off = try Shell("account: test-account\narc: off\n", options: Self.at)
        #expect(off.run(["token", "-check", token]).output.split(separator: "\n").count == 1)
    }

    // Manual, Loggable Tokens.
    @Test func loggableTokensAreChecked() throws {
        let shell = try Shell(options: Self.at)
        for (type, answer) in [("valid", "passed: loggable\n"), ("invalid", "failed: loggable\n")] {
            let token = try shell.line("token -genExample my.api.io -type \(type)")
            #expect(shell.run(["token", "-check", try LoggableToken.text(of: token)]).output == answer)
        }
    }

    // Manual, Long Lived Approov Tokens.
    @Test func longLivedTokensAreChecked() throws {
        let shell = try Shell(options: ["--at", "2019-05-31T14:34:33Z"])
        let run = try shell.run("token my-admin.tok -genLongLived server-token,90d")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "token will expire at 2019-08-29 14:34:33")
        // The manual's own claims.
        let answer = #"passed: alg:HS256 {"exp":1567089273,"iss":"server-token"}"# + "\n"
        #expect(shell.run(["token", "-check", try #require(lines.last)]).output == answer)
        let refused = try Shell(options: Self.at + ["--role", "dev"]).run("token -genLongLived a,1d")
        #expect((refused.status, refused.output) == (.invalidInput, ""))
    }

    // Manual, Getting All API Configuration; Setting All API Configuration.
    @Test func allDomainsAreWrittenAndRead() throws {
        let account = """
            apis:
              - {domain: shapes.approov.io, type: restricted, pins: ["JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="]}
              - {domain: mydomain.com, monitor-port: 443}

            """
        let shell = try Shell(account)
        let run = shell.run(["api", "-getAll", "@apis.json"])
        #expect(run.output == "API domains and pins written to JSON file apis.json\n")
        let text = """
            {
              "mydomain.com": {
                "secretType": "account",
                "algorithm": "HS256",
                "pins": [],
                "monitorPort": 443
              },
              "shapes.approov.io": {
                "secretType": "restricted",
                "algorithm": "HS256",
                "pins": [
                  "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="
                ]
              }
            }

            """
        #expect(shell.folder["apis.json"] == text)
        let changed = text.replacing("mydomain.com", with: "another.domain.com").replacing(
            "HS256\",\n    \"pins\": []",
            with:
                "A256GCMKW\",\n    \"pins\": [\"JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=\", \"Q62DnTGJsy1h+ude8HB5ZjKy0Vhg2pvTzjplWSD3hkk=\"]"
        )
        try shell.folder.write(changed, to: "apis.json")
        let set = shell.run(["api", "-setAll", "@apis.json"])
        #expect(
            set.output == "WARNING: updating the APIs will have an immediate impact on your apps in production. "
                + Self.confirmed + "APIs set successfully\n")
        #expect(
            try shell.run("api -list").output == """
                2 API domains:
                 shapes.approov.io   type:restricted, alg:HS256
                 another.domain.com  type:account, alg:A256GCMKW, monitorPort:443

                """)
        _ = shell.run(["api", "-getAll", "@again.json"])
        #expect(shell.folder["again.json"]?.filter { !$0.isWhitespace } == changed.filter { !$0.isWhitespace })
    }

    static let unsoundDomains = [
        ("{", "1:2: it is not JSON: a name is missing"), ("[]", "holds no JSON object"),
        (#"{"a.com":1}"#, "it is not a JSON object"),
        (#"{"a.com":{}}"#, "`secretType` must be"), (#"{"a.com":{"secretType":"none"}}"#, "`secretType` must be"),
        (#"{"a.com":{"secretType":"account","algoritm":"HS256"}}"#, "did you mean `algorithm`?"),
        (#"{"a.com":{"secretType":"account","algorithm":"none"}}"#, "is not for `none`"),
        (#"{"a/b":{"secretType":"account"}}"#, "is not a domain"),
        (#"{"a.com":{"secretType":"account","pins":"a"}}"#, "`pins` must be a list of texts"),
        (#"{"a.com":{"secretType":"account","monitorPort":0}}"#, "`monitorPort` must be a number from 1 to 65535"),
        (#"{"a.com":{"secretType":"account"},"a.com":{"secretType":"account"}}"#, "a name is given twice"),
        (#"{"shapes.approov.io":{"secretType":"restricted","pins":["x"]}}"#, "apis.json:1:57: `x` is not a pin"),
    ]

    @Test(arguments: unsoundDomains) func unsoundDomainsAreRefused(text: String, reason: String) throws {
        let shell = try Shell(Self.account, ["apis.json": text])
        let run = shell.run(["api", "-setAll", "@apis.json"])
        #expect(run.status == .invalidInput && run.error.contains(reason), "\(run.error)")
        #expect(shell.folder["account.yaml"] == Self.account)
    }

    @Test func tokensNeedATime() throws {
        let shell = try Shell()
        for line in ["token -genExample my.api.io", "token -genLongLived a,1d"] {
            #expect(try shell.run(line).error.contains("making a token needs the time"))
        }
        let check = try shell.run("token -check eyJhbGciOiJIUzI1NiJ9.e30.AAAA")
        #expect(
            check.output == "failed: alg:HS256 {}\n"
                && check.error.contains("without `--at` no token counts as expired"))
        let unknown = try Shell(options: Self.at).run("token -genExample my.api.oi")
        #expect(unknown.error.contains("there is no API domain `my.api.oi`") && unknown.error.contains("`my.api.io`"))
        #expect(try shell.run("token -check x").error.contains("that is not a token: a token has three parts"))
    }
}
