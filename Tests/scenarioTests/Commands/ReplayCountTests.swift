import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// `replay --count`: values of attributes by their frequency.
@Suite struct ReplayCountTests {
    private static let captures = "Scenarios/captures"
    private static let text = "\(captures)/new-devices-2020-07-23.txt"

    // The lines that the shell gives, without the spaces in front.
    private static func shell(_ line: String) throws -> [String] {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = Repository.root
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map {
            String($0.drop { $0 == " " })
        }
    }

    private static func counted(_ key: String, _ arguments: [String] = []) throws -> [String] {
        let folder = try TemporaryFolder(["capture.txt": Repository.text(of: text)])
        let run = ToolRun(
            ["replay", "@capture.txt", "--count", key, "--top=1000000", "--format=json"] + arguments, in: folder)
        #expect(run.status == .success && run.error == "")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let found = try #require((report["values"] as? [[String: Any]])?.first)
        #expect(found["exact"] as? Bool == true && found["attribute"] as? String == key)
        let values = try #require(found["values"] as? [[String: Any]])
        return try values.map { value in
            "\(try #require(value["attestations"] as? Int)) \(try #require(value["value"] as? String))"
        }
    }

    @Test(arguments: ["ip", "app-version", "device", "sdk-version", "user-property", "device-props", "device-id"])
    func theShellCountsTheSame(_ key: String) throws {
        let lines = try Self.shell(
            "sed -n 's/^\(key): //p' \(Self.text) | LC_ALL=C sort | uniq -c | LC_ALL=C sort -s -k1,1nr")
        #expect(lines.count > 1)
        for jobs in ["1", "3"] { #expect(try Self.counted(key, ["--jobs", jobs]) == lines) }
    }

    @Test func itReadsBothFormsAndStandardInput() throws {
        let both = try Self.shell(
            """
            { sed -n 's/^app-version: //p' \(Self.text); \
            sed 's/.*"app-version":"\\([^"]*\\)".*/\\1/' \(Self.captures)/afternoon-2020-07-23.jsonl; } \
            | LC_ALL=C sort | uniq -c | LC_ALL=C sort -s -k1,1nr | sed 's/^ *\\([0-9]*\\) \\(.*\\)/app-version,\\2,\\1/'
            """)
        let tool = try Self.shell(
            """
            cat \(Self.captures)/afternoon-2020-07-23.jsonl | \(ToolProcess.path) replay \(Self.text) - \
            --count app-version --format csv | tr -d '\\r' | tail -n +2 | cut -d , -f 1-3
            """)
        #expect(both.count == 6 && tool == both)
    }

    private static let shown = """
        Values of device
          1 of 3 attestations has it, with 1 different value.
          value                 attestations   share  devices  failed  failing
          Android 8.1.0, Pixel             1  33.3 %        1       1  100.0 %

        """

    private static let files = [
        "three.jsonl": """
        {"time":"2020-07-23T10:00:00Z","device-id":"\(Sample.bob)","flags":"rooted","device":"Android 8.1.0, Pixel"}
        {"time":"2020-07-23T10:00:01Z","device-id":"\(Sample.amy)","flags":"","device":null}
        {"time":"2020-07-23T10:00:02Z","device-id":"\(Sample.bob)","flags":"new-did"}

        """
    ]

    @Test func textAndPageAndTable() throws {
        let folder = try TemporaryFolder(Self.files)
        func run(_ form: String) -> String {
            ToolRun(["replay", "@three.jsonl", "--count=device", "--format", form], in: folder).output
        }
        #expect(run("text").hasSuffix("\n\n" + Self.shown))
        #expect(run("html").contains("Values of device</h2>") && run("html").contains("Android 8.1.0, Pixel"))
        #expect(
            run("csv").replacing("\r\n", with: "\n") == """
                attribute,value,attestations,failed,devices,missed-at-most,missed-devices-at-most
                device,"Android 8.1.0, Pixel",1,1,1,0,0

                """)
        #expect(
            run("json").contains(
                #""values":[{"absent":2,"attribute":"device","different":1,"exact":true,"others-at-most":0,"#
                    + #""present":1,"values":[{"attestations":1,"devices":1,"failed":1,"missed-at-most":0,"#
                    + #""missed-devices-at-most":0,"value":"Android 8.1.0, Pixel"}]}]"#))
    }

    @Test func aKeyThatNoRecordHasIsWarnedOf() throws {
        let run = try ToolRun("replay @three.jsonl --count app-versoin", files: Self.files).ending(.success)
        #expect(
            run.error
                == "--count: warning: no record has a value for `app-versoin`\n  hint: did you mean `app-version`?\n")
    }

    static let refused: [ToolRow] = [
        .usage("no key", "--count ip,", "`--count` takes up to 16 different keys, not `ip,`; such as `ip,app-version`"),
        .usage(
            "a key twice", "--count ip,ip",
            "`--count` takes up to 16 different keys, not `ip,ip`; such as `ip,app-version`"),
        .usage(
            "labels", "--count ip --format openmetrics",
            "`--count` cannot be combined with `--format openmetrics`; values cannot be labels: there may "
                + "be as many as attestations"),
        .usage("top alone", "--top 3", "`--top` needs `--count`"),
    ]

    @Test(arguments: refused) func whatMakesNoSenseIsRefused(_ row: ToolRow) throws {
        try row.expectNoOutput(command: ["replay", "@three.jsonl"], files: Self.files)
    }
}

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
            ToolRun(["replay", "@day.jsonl", "--account=@prod.yaml", "--tokens=@\(name)"], in: folder).ending(.success)
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

    static let refusals: [ToolRow] = [
        .usage(
            "several domains", "@day.jsonl --account @two.yaml --tokens @t",
            "option `--domain` is missing; tokens are for one domain; `--tokens` needs to know which"),
        .usage(
            "no domain", "@day.jsonl --account @plain.yaml --tokens @t",
            "option `--domain` is missing; tokens are for one domain; `--tokens` needs to know which"),
        .usage("no tokens", "@day.jsonl --domain a.com", "`--domain` needs `--tokens`"),
        .invalid(
            "unknown domain", "@day.jsonl --account @prod.yaml --tokens @t --domain b.com",
            "--domain: error: there is no API domain `b.com`\n  hint: did you mean `a.com`?"),
        .invalid(
            "R22.1 a measurement", "@day.jsonl --account @plain.yaml --tokens @t --domain b.com?measurement",
            "--domain: error: there is no API domain `b.com?measurement`\n"
                + "  hint: a domain alone, without path or `?measurement`"),
        .invalid(
            "pins only", "@day.jsonl --account @prod.yaml --tokens @t --domain p.com",
            "--domain: error: API domain `p.com` has pins only, so there are no tokens for it"),
    ]

    @Test(arguments: refusals) func isRefused(_ row: ToolRow) throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun(["replay"] + row.arguments.list, in: folder)
        #expect(run.status == row.status)
        #expect(run.error == row.error)
        #expect(folder["t"] == nil)
    }
}
