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
