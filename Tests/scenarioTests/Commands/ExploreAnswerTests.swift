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

    static let changes: [[String]] = [
        [], ["policy -set default,strict,risk"],
        ["policy -set default,strict,risk", "policy -removeRejectFlag safetynet-unavailable"],
        ["filter -add farm -key ip -matchValue ^198 -regex -ban", "filter -setSamplingPercentage 50"],
        ["device -add hMEywo8hWadZjlpRQVMXIA== -policy default,whitelist,risk"],
    ]

    private static func json(_ texts: [String]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: texts), as: UTF8.self)
    }

    @Test("An answer is the report of diff", arguments: changes) func diff(changes: [String]) throws {
        let bench = try Self.bench()
        let words = changes.isEmpty ? ["--candidate", Self.account] : changes.flatMap { ["--change", $0] }
        let run = ToolRun(
            ["diff", Self.capture, "--account", Self.account, "--format", "json"] + words, in: bench.folder)
        #expect(run.status == .success)
        #expect(bench.text("answer", #"{"changes":\#(try Self.json(changes))}"#) == run.output)
    }

    @Test(
        "An answer with groups, counts or intervals is that of diff",
        arguments: [
            (member: #""who":"os-version,flags","order":1"#, words: ["--who", "os-version,flags", "--order", "1"]),
            (member: #""count":"app-version","top":3"#, words: ["--count", "app-version", "--top", "3"]),
        ])
    func groups(row: (member: String, words: [String])) throws {
        let bench = try Self.bench(["--confidence", "95%"])
        let change = "policy -set default,strict,risk"
        let run = ToolRun(
            [
                "diff", Self.capture, "--account", Self.account, "--format", "json", "--change", change, "--confidence",
                "95%",
            ] + row.words, in: bench.folder)
        #expect(bench.text("answer", #"{"changes":["\#(change)"],\#(row.member)}"#) == run.output)
    }

    @Test("The effect of every edit is the report of whatif") func whatif() throws {
        let bench = try Self.bench()
        let change = "policy -set default,strict,risk"
        let words = ["whatif", Self.capture, "--account", Self.account, "--format", "json"]
        #expect(bench.text("whatif") == ToolRun(words, in: bench.folder).output)
        let ordered = ToolRun(words + ["--change", change, "--order", "newly-rejected"], in: bench.folder)
        #expect(bench.text("whatif", #"{"changes":["\#(change)"],"order":"newly-rejected"}"#) == ordered.output)
    }

    @Test("The decisions on a device are the report of explain") func explain() throws {
        let bench = try Self.bench()
        let (device, change) = ("hMEywo8hWadZjlpRQVMXIA==", "policy -set default,strict,risk")
        let run = ToolRun(
            [
                "explain", Self.capture, "--account", Self.account, "--format", "json", "--device", device, "--change",
                change,
            ], in: bench.folder)
        #expect(run.status == .success)
        #expect(bench.text("explain", #"{"changes":["\#(change)"],"device":"\#(device)"}"#) == run.output)
        #expect(bench.ask("explain", #"{"device":"\#(Sample.bob)"}"#).status == 422)
    }

    @Test("A redacted exploration gives the redacted reports, and shows no device") func redacted() throws {
        let bench = try Self.bench(["--redact"])
        let change = "policy -set default,strict,risk"
        let run = ToolRun(
            [
                "diff", Self.capture, "--account", Self.account, "--format", "json", "--change", change, "--redact",
            ], in: bench.folder)
        let body = #"{"changes":["\#(change)"]}"#
        #expect(bench.text("answer", body) == run.output)
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
            #expect(bench.ask("take", #"{"changes":[\#(list)],"form":"\#(form)"}"#).status == 422, "\(form)")
        }
    }

    @Test("The captures are gone, and answers are the same") func gone() throws {
        let folder = try TemporaryFolder(Sample.files)
        let words = ["diff", "@day.jsonl", "--account", "@account.yaml", "--change", "policy -set default,strict,risk"]
        let run = ToolRun(words + ["--format", "json"], in: folder)
        let bench = try ExploreBench(["@day.jsonl", "--account", "@account.yaml"], in: folder)
        try FileManager.default.removeItem(atPath: folder.path("day.jsonl"))
        #expect(bench.text("answer", #"{"changes":["policy -set default,strict,risk"]}"#) == run.output)
    }

    @Test("A part of the captures is answered as a capture of these records is") func part() throws {
        let folder = try TemporaryFolder(Sample.files)
        let lines = Sample.day.split(separator: "\n", omittingEmptySubsequences: true)
        try folder.write(lines.dropLast().joined(separator: "\n") + "\n", to: "first.jsonl")
        try folder.write(lines.filter { $0.contains(Sample.bob) }.joined(separator: "\n") + "\n", to: "bob.jsonl")
        let bench = try ExploreBench(["@day.jsonl", "--account", "@account.yaml"], in: folder)
        let change = "policy -set default,strict,risk"
        for (member, file) in [
            (#""to":"2020-07-23T10:59:59Z""#, "first"), (#""narrow":[{"key":"flags","value":"rooted"}]"#, "bob"),
        ] {
            let run = ToolRun(
                ["diff", "@\(file).jsonl", "--account", "@account.yaml", "--change", change, "--format", "json"],
                in: folder)
            let expected = try Self.withoutNames(run.output)
            #expect(try Self.withoutNames(bench.text("answer", #"{"changes":["\#(change)"],\#(member)}"#)) == expected)
        }
        #expect(bench.ask("answer", #"{"from":"2021-01-01T00:00:00Z"}"#).status == 422)
    }

    // Names of devices, and the inputs, follow from the whole captures; and the part says that it is none.
    private static func withoutNames(_ json: String) throws -> NSDictionary {
        var object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        var changes = try #require(object["changes"] as? [String: Any])
        changes["compared"] = nil
        for key in ["newly-rejected", "newly-accepted"] {
            var side = try #require(changes[key] as? [String: Any])
            side["device-names"] = nil
            changes[key] = side
        }
        (object["changes"], object["explain"], object["part"]) = (changes, nil, nil)
        return object as NSDictionary
    }
}

/// Commands that are typed on the page of `explore`: their mistakes, and the words that may follow.
@Suite struct ExploreTypingTests {
    private static func bench() throws -> ExploreBench {
        try ExploreBench(["@day.jsonl", "--account", "@account.yaml"], in: try TemporaryFolder(Sample.files))
    }

    @Test("A command that can be carried out is read as the manual writes it") func check() throws {
        let bench = try Self.bench()
        let body = #"{"line":"policy  -set default,strict,risk"}"#
        let answer = try bench.members("check", body)
        #expect(answer["command"] as? String == "policy -set default,strict,risk")
        #expect(answer["changes"] as? Bool == true)
        let same = try bench.members("check", #"{"line":"policy -set default,allow-root,risk"}"#)
        #expect(same["changes"] as? Bool == false)
        let banning = try bench.members("check", #"{"line":"filter -add a -key ip -matchValue 1 -ban"}"#)
        #expect(
            banning["confirmation"] as? String
                == "using the ban or reject option will have an immediate impact on your apps in production")
        // It follows the changes so far.
        let line = #""line":"filter -remove a""#
        #expect(bench.ask("check", "{\(line)}").status == 422)
        let later = #"{"changes":["filter -add a -key ip -matchValue 1"],\#(line)}"#
        #expect(try bench.members("check", later)["changes"] as? Bool == true)
    }

    static let mistakes: [(line: String, column: Int?)] = [
        ("policy -set default,strct,risk", 21), ("policy -addRejectFlag roted", 23), ("polcy -set a,b,c", 1),
        ("policy", nil), ("policy -get", nil),
    ]

    @Test("A mistake is shown at its column", arguments: mistakes) func column(row: (line: String, column: Int?)) throws
    {
        let answer = try Self.bench().ask("check", #"{"line":"\#(row.line)"}"#)
        #expect(answer.status == 422)
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        #expect(object?["column"] as? Int == row.column, "\(object ?? [:])")
        #expect(object?["field"] as? String == "line")
    }

    @Test("A change that cannot be carried out is named by its place") func place() throws {
        let answer = try Self.bench().ask(
            "answer", #"{"changes":["policy -set default,strict,risk","filter -remove a"]}"#)
        #expect(answer.status == 422)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""field":"changes/1","column":16"#))
    }

    @Test("A command of the page reads and writes no file") func files() throws {
        let bench = try Self.bench()
        try bench.folder.write("[]", to: "domains.json")
        for line in [
            "api -setAll \(bench.folder.path("domains.json"))", "secret -getJWK \(bench.folder.path("key.jwk"))",
            "appsigncert -add /etc/hostname",
        ] {
            for (subject, member) in [("check", #""line":"\#(line)""#), ("answer", #""changes":["\#(line)"]"#)] {
                #expect(bench.ask(subject, "{\(member)}").status == 422, "\(subject) \(line)")
            }
        }
        #expect(bench.folder["key.jwk"] == nil)
    }

    static let completions: [(line: String, start: Int, words: Set<String>)] = [
        ("pol", 0, ["policy"]), ("policy -addR", 7, ["-addRejectFlag"]),
        ("policy -addRejectFlag frid", 22, ["frida"]), ("policy -set default,str", 12, ["default,strict"]),
        ("nothing -", 8, []),
    ]

    @Test("The words that may follow are offered", arguments: completions)
    func complete(row: (line: String, start: Int, words: Set<String>)) throws {
        let answer = try Self.bench().members("complete", #"{"line":"\#(row.line)"}"#)
        #expect(answer["start"] as? Int == row.start)
        let words = try #require(answer["words"] as? [[String: Any]]).compactMap { $0["word"] as? String }
        #expect(Set(words) == row.words)
    }
}
