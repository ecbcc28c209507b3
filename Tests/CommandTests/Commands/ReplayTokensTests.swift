import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// `replay --tokens`: the tokens that a replay would issue.
@Suite struct ReplayTokensTests {
    private static func record(_ second: Int, _ id: String, _ flags: String, _ ip: String = "1.2.3.4") -> String {
        #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(id)","public-flags":"\#(flags)","ip":"\#(ip)"}"#
            + "\n"
    }

    private static let (bob, amy) = (Sample.bob, Sample.amy)
    private static let files = [
        "prod.yaml":
            "account: prod\nissuer: on\naudience: on\napis: [{domain: a.com}, {domain: p.com, type: pinOnly}]\n",
        "two.yaml": "apis: [{domain: a.com}, {domain: jwe.com, alg: A256GCMKW}]\n", "plain.yaml": "account: prod\n",
        "day.jsonl": record(0, bob, "rooted") + record(1, amy, "", "::1") + record(2, amy, ""),
        "mixed.jsonl": record(2, amy, "") + record(0, bob, "rooted"),
    ]

    private static func replay(_ arguments: String...) throws -> (run: ToolRun, folder: TemporaryFolder) {
        let folder = try TemporaryFolder(files)
        return (ToolRun(["replay"] + arguments, in: folder), folder)
    }

    @Test func everyRecordHasItsToken() throws {
        let (run, folder) = try Self.replay("@day.jsonl", "--account", "@prod.yaml", "--tokens", "@tokens.txt")
        #expect(run.status == .success, "\(run.error)")
        let tokens = try #require(folder["tokens.txt"]).split(separator: "\n").map(String.init)
        #expect(tokens.count == 3)
        let account = Account(name: "prod")
        let checks = try tokens.map { try TokenCheck($0, account: account, at: nil) }
        #expect(checks.map(\.passed) == [false, true, true])
        #expect(checks.map { $0.claims?.device?.description } == [Self.bob, Self.amy, Self.amy])
        #expect(checks.map { $0.claims?.text(of: "ip") } == ["1.2.3.4", "::1", "1.2.3.4"])
        let first = try #require(checks[0].claims)
        #expect(first.names == ["arc", "aud", "did", "exp", "ip", "iss"])
        #expect(first.text(of: "aud") == "a.com" && first.text(of: "iss") == "prod.approov.io")
        // Two minutes for a device at risk, and ten seconds.
        #expect(first.expiry == Instant(rfc3339: "2020-07-23T10:02:10Z"))
        let codec = ResponseCodec(account: account)
        #expect(first.responseCode.flatMap { codec.meaning(of: $0) }?.passed == false)
    }

    @Test func nobodyButTheOwnerReadsTokens() throws {
        let folder = try TemporaryFolder(Self.files.merging(["old.txt": "x"]) { $1 })
        for name in ["new.txt", "old.txt"] {
            let run = ToolRun(["replay", "@day.jsonl", "--account=@prod.yaml", "--tokens=@\(name)"], in: folder)
            #expect(run.status == .success, "\(run.error)")
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func equalInputGivesEqualBytes() throws {
        for domain in ["a.com", "jwe.com"] {
            let texts = try (0..<2).map { _ in
                let (run, folder) = try Self.replay(
                    "@day.jsonl", "--account", "@two.yaml", "--domain", domain, "--tokens", "@tokens.txt")
                #expect(run.status == .success)
                return folder["tokens.txt"]
            }
            #expect(texts[0] == texts[1] && texts[0]?.isEmpty == false)
        }
    }

    @Test func sortedCapturesKeepTheOrderOfTheInput() throws {
        let (run, folder) = try Self.replay(
            "@mixed.jsonl", "--sort", "--account", "@plain.yaml", "--domain", "x.com", "--tokens", "@tokens.txt")
        #expect(run.status == .success, "\(run.error)")
        let tokens = try #require(folder["tokens.txt"]).split(separator: "\n").map(String.init)
        let devices = try tokens.map {
            try TokenCheck($0, account: Account(name: "prod"), at: nil).claims?.device?.description
        }
        #expect(devices == [Self.amy, Self.bob])
    }

    static let refusals = [
        ToolRow(
            name: "several domains", arguments: ["@day.jsonl", "--account", "@two.yaml", "--tokens", "@t"],
            status: .usage,
            error:
                "scenario: error: option `--domain` is missing; tokens are for one domain; `--tokens` needs to know which\n"
        ),
        ToolRow(
            name: "no domain", arguments: ["@day.jsonl", "--account", "@plain.yaml", "--tokens", "@t"], status: .usage,
            error:
                "scenario: error: option `--domain` is missing; tokens are for one domain; `--tokens` needs to know which\n"
        ),
        ToolRow(
            name: "no tokens", arguments: ["@day.jsonl", "--domain", "a.com"], status: .usage,
            error: "scenario: error: `--domain` goes with `--tokens` only\n"),
        ToolRow(
            name: "unknown domain",
            arguments: ["@day.jsonl", "--account", "@prod.yaml", "--tokens", "@t", "--domain", "b.com"],
            status: .invalidInput,
            error: "--domain: error: there is no API domain `b.com`\n  hint: did you mean `a.com`?\n"),
        ToolRow(
            name: "R22.1 a measurement",
            arguments: ["@day.jsonl", "--account", "@plain.yaml", "--tokens", "@t", "--domain", "b.com?measurement"],
            status: .invalidInput,
            error: "--domain: error: there is no API domain `b.com?measurement`\n"
                + "  hint: a domain alone, without path or `?measurement`\n"),
        ToolRow(
            name: "pins only",
            arguments: ["@day.jsonl", "--account", "@prod.yaml", "--tokens", "@t", "--domain", "p.com"],
            status: .invalidInput,
            error: "--domain: error: API domain `p.com` has pins only, so there are no tokens for it\n"),
    ]

    @Test(arguments: refusals) func isRefused(_ row: ToolRow) throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun(["replay"] + row.arguments, in: folder)
        #expect(run.status == row.status)
        #expect(run.error == row.error)
        #expect(folder["t"] == nil)
    }
}
