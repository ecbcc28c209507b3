import Foundation
import Testing

@testable import HTTP
@testable import TestSupport
@testable import scenario

/// The answers of an exploration are those of the commands, byte for byte.
@Suite struct ExploreAnswerTests {
    private static let shipped = Repository.root.appending(path: "Scenarios").path(percentEncoded: false)
    private static let capture = shipped + "/captures/new-devices-2020-07-23.txt"
    private static let account = shipped + "/accounts/bank.yaml"

    private static func bench(_ more: [String] = []) throws -> ExploreBench {
        try ExploreBench([capture, "--account", account] + more, in: try TemporaryFolder(Sample.files))
    }

    @Test("A redacted exploration gives the redacted reports, and shows no device") func redacted() throws {
        let bench = try Self.bench(["--redact"])
        let change = "policy -set default,strict,risk"
        let run = ToolRun(
            ["diff", Self.capture, "--account", Self.account, "--format=json", "--change", change, "--redact"],
            in: bench.folder)
        let body = #"{"changes":["\#(change)"]}"#
        expect(bench.text("answer", body), equals: run.output)
        let page = bench.text("devices", #"{"changes":["\#(change)"],"count":200}"#)
        #expect(page.contains(#""device":"device-"#))
        for answer in [page, bench.text("answer", body), bench.text("account", body)] {
            #expect(!answer.contains("hMEywo8hWadZjlpRQVMXIA=="))
            #expect(!answer.contains("198.51.100."))
        }
    }

    @Test(
        "A redacted exploration hides what edits and changes name", arguments: ["answer", "account", "whatif"])
    func redactedEdits(subject: String) throws {
        let bench = try Self.bench(["--redact"])
        let changes = [
            "device -add hMEywo8hWadZjlpRQVMXIA== -policy default,whitelist,default",
            "filter -add net -key ip -matchValue 198.51.100.7 -reject",
        ]
        let list = changes.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = bench.text(subject, #"{"changes":[\#(list)]}"#)
        #expect(!answer.contains("hMEywo8hWadZjlpRQVMXIA==") && !answer.contains("198.51.100."))
        for form in ["account", "commands", "diff", "scenario"] {
            expect(bench.ask("take", #"{"changes":[\#(list)],"form":"\#(form)"}"#).status, equals: 422, "\(form)")
        }
    }

    @Test("Devices are sorted, each with its model, system, app and label") func devices() throws {
        let folder = try TemporaryFolder([
            "labels.jsonl": #"{"device":"Android 10, Pixel 4, google, flame, es","label":"good"}"# + "\n"
        ])
        let arguments = [Self.capture, "--account", Self.account, "--labels=@labels.jsonl"]
        let bench = try ExploreBench(arguments, in: folder)
        func rows(_ order: String) throws -> [[String: Any]] {
            let body = #"{"changes":["policy -set default,strict,risk"],"order":"\#(order)","count":200}"#
            return try #require(try bench.members("devices", body)["devices"] as? [[String: Any]])
        }
        func texts(_ rows: [[String: Any]], _ member: String) -> [String] {
            rows.map { ($0[member] as? [String])?.joined(separator: ",") ?? $0[member] as? String ?? "" }
        }
        for (order, member) in [("device", "device"), ("time", "time"), ("reason", "rejections")] {
            let shown = texts(try rows(order), member)
            expect(shown, equals: shown.sorted())
            expect(shown.count, equals: 104)
        }
        let first = try #require(try rows("time").first { $0["label"] is String })
        let shown = ["model", "os-version", "app-version", "label"].map { first[$0] as? String }
        expect(shown, equals: ["Pixel 4", "Android 10", "5.2(120)", "good"])
        expect(bench.ask("devices", #"{"order":"size"}"#).status, equals: 400)
    }

    // Amy is blacklisted. Bob fails twice: with two reasons, and with one of them. Cid matches the filter, and Dan passes.
    @Test("Each device that fails is counted once for each of its reasons, whatever they are") func reasons() throws {
        let (bob, cid, dan) = (Sample.bob, "CAAAAAAAAAAAAAAAAAAAAA==", "DAAAAAAAAAAAAAAAAAAAAA==")
        func record(_ time: String, _ device: String, _ flags: String, _ address: String) -> String {
            #"{"time":"2026-03-02T\#(time):00Z","device-id":"\#(device)","flags":"\#(flags)","ip":"\#(address)"}"#
                + "\n"
        }
        let folder = try TemporaryFolder([
            "day.jsonl": record("10:00", Sample.amy, "", "10.0.0.2") + record("10:01", bob, "rooted", "10.0.0.1")
                + record("10:02", bob, "rooted", "10.0.0.2") + record("10:03", cid, "", "10.0.0.1")
                + record("10:04", dan, "", "10.0.0.2"),
            "account.yaml": """
            policy: default,default,default
            filters: [{name: farm, key: ip, match: 10.0.0.1, reject: true}]
            devices: [{id: \(Sample.amy), policy: 'default,blacklist,default'}]

            """,
            "labels.csv": "device-id,label\n\(bob),bad\n\(cid),good\n\(dan),good\n",
        ])
        let arguments = ["@day.jsonl", "--account", "@account.yaml", "--labels", "@labels.csv"]
        let bench = try ExploreBench(arguments, in: folder)
        func counts(_ body: String, of other: ExploreBench? = nil) throws -> [String] {
            let answer = try (other ?? bench).members("reasons", body)
            let reasons = try #require(answer["reasons"] as? [[String: Any]])
            return ["all \(answer["devices"] ?? "")"]
                + reasons.map { "\($0["kind"] ?? "") \($0["name"] ?? "") \($0["devices"] ?? "")" }
        }
        let all = ["all 3", "filter farm 2", "other policy:blacklist 1", "flag rooted 1"]
        expect(try counts("{}"), equals: all)
        // The columns say the same as the records that are kept for the account.
        let since = #"{"from":"2026-03-02T10:00:00Z"}"#
        expect(try counts(since), equals: all)
        let good = #"{"narrow":[{"key":"label","value":"good"}]}"#
        expect(try counts(good), equals: ["all 1", "filter farm 1"])
        expect(
            try counts(#"{"changes":["policy -removeRejectFlag rooted"]}"#),
            equals: ["all 3", "filter farm 2", "other policy:blacklist 1"])
        // No record says which devices are new, so nobody counts as rejected for that: neither after a change, nor under an account
        // about which no kept record says all.
        expect(try counts(#"{"changes":["policy -addRejectFlag new-did"]}"#), equals: all)
        let account = try #require(folder["account.yaml"])
        try folder.write(account + "reject-flags: {add: [new-did]}\n", to: "doubtful.yaml")
        let doubtful = try ExploreBench(["@day.jsonl", "--account", "@doubtful.yaml"], in: folder)
        expect(try counts("{}", of: doubtful), equals: all)
        expect(bench.ask("reasons", #"{"narrow":[{"key":"label","value":"odd"}]}"#).status, equals: 400)
        let line = bench.text("take", #"{"form":"diff","narrow":[{"key":"label","value":"good"}]}"#)
        #expect(line.contains("--only label:good"), "\(line)")
    }

    @Test("An assumption is answered as by replay, and its line gives the same figures") func assumed() throws {
        let bench = try Self.bench()
        let body = #"{"assumption":"add rooted to 10%","changes":["policy -set default,strict,risk"]}"#
        let run = ToolRun(
            [
                "replay", Self.capture, "--account", Self.account, "--assume=add rooted to 10%",
                "--change=policy -set default,strict,risk", "--format=json",
            ], in: bench.folder)
        expect(bench.text("assumed", body), equals: run.output)
        let taken = body.replacing("{\"assumption\"", with: #"{"form":"replay","assumption""#)
        let line = bench.text("take", taken)
        #expect(line.contains("--assume 'add rooted to 10%'"), "\(line)")
        let flags = try #require(try bench.members("account")["flags"] as? [[String: Any]])
        let assumptions = Dictionary(flags.map { ($0["name"] as? String ?? "", $0["assumption"] as? String) }) { $1 }
        expect(assumptions["rooted"] ?? nil, equals: "add rooted to {share}%")
        expect(assumptions["did-ban"] ?? nil, equals: nil)
    }

    @Test("A page that waits learns how far an evaluation is") func progress() throws {
        let bench = try Self.bench()
        _ = bench.text("assumed", #"{"assumption":"add rooted to 10%"}"#)
        let body = String(decoding: bench.ask("progress", nil).body, as: UTF8.self)
        #expect(body.contains(/"share":(0|1)\.[0-9]{3}/), "\(body)")
    }

    @Test("The captures are gone, and answers are the same") func gone() throws {
        let folder = try TemporaryFolder(Sample.files)
        let words = ["diff", "@day.jsonl", "--account", "@account.yaml", "--change", "policy -set default,strict,risk"]
        let run = ToolRun(words + ["--format", "json"], in: folder)
        let bench = try ExploreBench(["@day.jsonl", "--account", "@account.yaml"], in: folder)
        try FileManager.default.removeItem(atPath: folder.path("day.jsonl"))
        expect(bench.text("answer", #"{"changes":["policy -set default,strict,risk"]}"#), equals: run.output)
    }
}

/// Commands that are typed on the page of `explore`: their mistakes, and the words that may follow.
@Suite struct ExploreTypingTests {
    private static func bench(_ account: String = Sample.account) throws -> ExploreBench {
        let folder = try TemporaryFolder(["day.jsonl": Sample.day, "account.yaml": account])
        return try ExploreBench(["@day.jsonl", "--account", "@account.yaml"], in: folder)
    }

    @Test("Every command of a switch is one that the account accepts") func everyCommand() throws {
        let bench = try Self.bench(
            "policy: default,allow-root,default\nfilters: [{name: farm, key: ip, match: 10.0.0.1}]\n"
                + "devices: [{id: \(Sample.amy), policy: 'default,whitelist,default'}]\n")
        let pattern = /"(?:command|remove)":"((?:policy|filter|device) [^"]*)"/
        let commands = bench.text("account").matches(of: pattern).map { String($0.output.1) }
            .filter { !$0.contains("{percentage}") }
        #expect(commands.count > 50)
        for command in commands {
            try expect(
                bench.members("check", #"{"line":"\#(command)"}"#)["changes"] as? Bool, equals: true, "\(command)")
        }
    }

    @Test("A command of the page reads and writes no file") func files() throws {
        let bench = try Self.bench()
        try bench.folder.write("[]", to: "domains.json")
        for line in [
            "api -setAll \(bench.folder.path("domains.json"))", "secret -getJWK \(bench.folder.path("key.jwk"))",
            "appsigncert -add /etc/hostname",
        ] {
            for (subject, member) in [("check", #""line":"\#(line)""#), ("answer", #""changes":["\#(line)"]"#)] {
                expect(bench.ask(subject, "{\(member)}").status, equals: 422, "\(subject) \(line)")
            }
        }
        #expect(bench.folder["key.jwk"] == nil)
    }
}
