import Foundation
import Testing

@testable import Documents
@testable import TestSupport
@testable import scenario

/// `--shard`, `--partial` and `scenario merge`, as a user types them.
@Suite struct MergeCommandTests {
    // Four devices; rooted ones fail.
    private static let capture = [
        "w4mmGFZkpz5oPz6w6gl1Cw==", "qZka0yfv+ExvOq3PRh6pGw==", "h4gubfCFzJu81j/U2BJsdg==", "AAAAAAAAAAAAAAAAAAAAAA==",
    ].enumerated().map { number, id in
        #"{"time":"2020-07-23T00:00:0\#(number)Z","device-id":"\#(id)","flags":"\#(number == 3 ? "rooted" : "")"}"#
            + "\n"
    }.joined()

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        _ = try folder.write(capture.utf8, to: "day.jsonl")
        _ = try folder.write("policy: default,default,all\n".utf8, to: "a.yaml")
        return folder
    }

    private static func parts(_ arguments: [String], in folder: TemporaryFolder, of count: Int) -> [String] {
        (1...count).map { number in
            let run = ToolRun(arguments + ["--shard=\(number)/\(count)", "--partial=@p\(number)"], in: folder)
            #expect(run.status == .success)
            #expect(run.output.isEmpty)
            return "@p\(number)"
        }
    }

    @Test(
        "the report is the same as that of one machine",
        arguments: [
            ["replay", "@day.jsonl", "--account=@a.yaml"], ["replay", "@day.jsonl", "--policy=default,allow-root,all"],
            ["diff", "@day.jsonl", "--account=@a.yaml", "--policy=default,allow-root,all"],
        ], [1, 2, 3])
    func theReportIsThatOfOneMachine(_ arguments: [String], count: Int) throws {
        let folder = try Self.folder()
        let parts = Self.parts(arguments, in: folder, of: count)
        for form in [[], ["--format=json"], ["--format=csv"].filter { _ in arguments[0] == "diff" }] {
            let merged = ToolRun(["merge"] + parts.reversed() + form, in: folder)
            let whole = ToolRun(arguments + form, in: folder)
            #expect(merged.output == whole.output)
            #expect(merged.status == whole.status)
            #expect(merged.output.contains("attestations"))
        }
    }

    @Test("limits are checked on the whole") func limits() throws {
        let folder = try Self.folder()
        let change = ["diff", "@day.jsonl", "--account=@a.yaml", "--policy=default,allow-root,all"]
        let parts = Self.parts(change, in: folder, of: 2)
        #expect(ToolRun(["merge", "--shards=2"] + parts, in: folder).status == .success)
        // One of four devices.
        #expect(ToolRun(["merge"] + parts + ["--max-newly-accepted=25%"], in: folder).status == .success)
        #expect(ToolRun(["merge"] + parts + ["--max-newly-accepted=24%"], in: folder).status == .limitExceeded)
    }

    @Test("metrics by minute are merged where parts have them") func series() throws {
        let folder = try Self.folder()
        let replay = ["replay", "@day.jsonl"]
        let plain = Self.parts(replay, in: folder, of: 2)
        #expect(ToolRun(["merge", "--format=csv"] + plain, in: folder).status == .invalidInput)
        let series = Self.parts(replay + ["--series"], in: folder, of: 2)
        let merged = ToolRun(["merge", "--format=csv"] + series, in: folder)
        #expect(merged.output == ToolRun(replay + ["--format=csv", "--series"], in: folder).output)
    }

    /// A part in which one number is as large as any, or as many of them as fit are.
    struct Huge: LabelledRow {
        let name: String
        var command = "replay"
        let text, other: String
    }

    private static let most = "1099511627776"

    static let huge: [Huge] = [
        Huge(name: "attestations", text: #""attestations":4"#, other: #""attestations":\#(most)"#),
        Huge(name: "attestations of a comparison", command: "diff", text: #""events":4"#, other: #""events":\#(most)"#),
        Huge(
            name: "lifetimes", text: #""lifetimes":[[120,1],[300,3]]"#,
            other: #""lifetimes":[[300,\#(most)],[120,\#(most)]]"#),
        Huge(
            name: "reasons that are there again and again", text: #""reasons":[]"#,
            other: #""reasons":[\#(Array(repeating: #"["new-did",\#(most)]"#, count: 1100).joined(separator: ","))]"#),
        Huge(
            name: "a changed lifetime", command: "diff",
            text: #"{"before":300,"after":300,"events":3,"attestations":3}"#,
            other: #"{"before":3600,"after":1,"events":\#(most),"attestations":\#(most)}"#),
        Huge(name: "devices", text: #""unique":4"#, other: #""unique":\#(most)"#),
    ]

    @Test("numbers that nobody counts never end the process", arguments: huge)
    func hugeNumbers(_ row: Huge) throws {
        let folder = try Self.folder()
        let change = row.command == "diff" ? ["--policy=default,allow-root,all"] : ["--series"]
        let part = Self.parts([row.command, "@day.jsonl", "--account=@a.yaml"] + change, in: folder, of: 1)
        let text = try String(contentsOfFile: "\(folder.path)/p1", encoding: .utf8)
        let line = Array(text.prefix { $0 != "\n" }.replacing(row.text, with: row.other).utf8)
        #expect(String(decoding: line, as: UTF8.self).contains(row.other), "\(text)")
        _ = try folder.write(line + Array("\nsha256:\(FileDigest(of: line).text)\n".utf8), to: "p1")
        let forms = row.command == "diff" ? ["text", "json", "csv", "html"] : ["text", "json", "csv", "openmetrics"]
        for form in forms {
            let run = ToolRun(["merge", "--format=\(form)"] + part, in: folder)
            #expect(run.status == .success || run.status == .invalidInput)
            #expect(run.output.isEmpty == (run.status == .invalidInput))
        }
    }

    @Test(
        "no number or text of a part ends the process",
        arguments: [
            ["replay", "@day.jsonl", "--account=@a.yaml", "--series"],
            [
                "diff", "@day.jsonl", "--account=@a.yaml", "--policy=default,allow-root,all", "--who=flags",
                "--confidence=95%",
            ],
        ])
    func madeUpValues(_ words: [String]) throws {
        let folder = try Self.folder()
        let part = Self.parts(words, in: folder, of: 1)
        let text = try String(contentsOfFile: folder.path("p1"), encoding: .utf8)
        let line = String(text.prefix { $0 != "\n" })
        var refused = 0
        for (_, value) in line.matches(of: /[:,\[](-?[0-9]+|"[^"\\]*")(?=[,\]}])/).map(\.output) {
            for other in value.hasPrefix("\"") ? ["\"x\""] : ["-1", "0", Self.most] {
                let made = Array((line[..<value.startIndex] + other + line[value.endIndex...]).utf8)
                _ = try folder.write(made + Array("\nsha256:\(FileDigest(of: made).text)\n".utf8), to: "p1")
                for form in ["text", "html"] {
                    let run = ToolRun(["merge", "--format=\(form)"] + part, in: folder)
                    #expect([.success, .invalidInput, .usage, .nothingRan].contains(run.status), "\(run.error)")
                    if other == "-1", run.status == .invalidInput { refused += 1 }
                }
            }
        }
        #expect(refused > 40)
    }

    @Test("the options that a part says are read as those of a command line")
    func madeUpOptions() throws {
        let folder = try Self.folder()
        let words = ["diff", "@day.jsonl", "--account=@a.yaml", "--policy=default,allow-root,all", "--confidence=95%"]
        let part = Self.parts(words, in: folder, of: 1)
        let text = try String(contentsOfFile: folder.path("p1"), encoding: .utf8)
        let line = Array(
            text.prefix { $0 != "\n" }.replacing(#"["--confidence","95%"]"#, with: #"["--confidence","x"]"#).utf8)
        _ = try folder.write(line + Array("\nsha256:\(FileDigest(of: line).text)\n".utf8), to: "p1")
        let run = ToolRun(["merge"] + part, in: folder).ending(.invalidInput)
        #expect(
            run.error.contains(
                "the options that the parts were made with are wrong: `--confidence` takes a share, not `x`"))
    }

    // The second part is made behind the same words, which then mean something else.
    @Test("parts of a commit that moved are refused", arguments: ["before", "after"])
    func aMovedCommitIsRefused(_ side: String) throws {
        let folder = try TemporaryFolder(["day.jsonl": Self.capture])
        try folder.git("init", "--quiet")
        func commit(_ number: Int) throws {
            let filters = (0..<number).map { "{name: f\($0), key: key-\($0), match: x}" }.joined(separator: ", ")
            try folder.write("policy: default,default,all\nfilters: [\(filters)]\n", to: "a.yaml")
            try folder.commit("t\(number)")
        }
        try commit(1)
        try folder.git("branch", "moving")
        try commit(2)
        try folder.git("branch", "staying")
        let ends = side == "before" ? ["--base=moving", "--head=staying"] : ["--base=staying", "--head=moving"]
        let diff = ["diff", "@day.jsonl", "--account=@a.yaml"] + ends
        #expect(ToolRun(diff + ["--shard=1/2", "--partial=@p1"], in: folder).status == .success)
        try commit(4)
        try folder.git("branch", "--force", "moving")
        #expect(ToolRun(diff + ["--shard=2/2", "--partial=@p2"], in: folder).status == .success)
        let run = ToolRun("merge @p1 @p2", in: folder)
        #expect(run.status == .invalidInput && run.output == "")
        let account = side == "before" ? "the account before the change" : "the account after it"
        #expect(run.error.contains("p2: error: \(account) differs from that in `p1`, although the names are equal"))
    }

    @Test("a capture that was changed between two parts is recognised by its content, not by its length")
    func aChangedCaptureIsRefused() throws {
        let folder = try Self.folder()
        _ = Self.parts(["replay", "@day.jsonl"], in: folder, of: 1)
        #expect(ToolRun("replay @day.jsonl --shard=1/2 --partial=@p1", in: folder).status == .success)
        try folder.write(Self.capture.replacing("00:00:01", with: "00:00:02"), to: "day.jsonl")
        #expect(ToolRun("replay @day.jsonl --shard=2/2 --partial=@p2", in: folder).status == .success)
        let run = ToolRun("merge @p1 @p2", in: folder)
        #expect(
            run.status == .invalidInput && run.output == ""
                && run.error.contains("p2: error: capture is `day.jsonl, sha256:"))
    }

    @Test("an account by another path is the same")
    func theSameAccountElsewhere() throws {
        let folder = try Self.folder()
        _ = try folder.write("policy: default,default,all\n".utf8, to: "b.yaml")
        for (number, account) in [(1, "a"), (2, "b")] {
            let part = ["--shard=\(number)/2", "--partial=@p\(number)"]
            #expect(
                ToolRun(["replay", "@day.jsonl", "--account=@\(account).yaml"] + part, in: folder).status == .success)
        }
        #expect(ToolRun("merge @p1 @p2", in: folder).status == .success)
    }

    @Test("limits on annotations, allowances and baselines are those of one machine") func comparingOptions() throws {
        let folder = try Self.folder()
        let diff = ["diff", "@day.jsonl", "--account=@a.yaml", "--policy=default,allow-root,risk"]
        let parts = Self.parts(diff, in: folder, of: 2)
        // A machine that merges reads no account, so the warnings of the account are given with the parts alone.
        let warnings = ToolRun(diff + ["--format=json", "--output=@base.json"], in: folder).error
        #expect(warnings.hasPrefix("a.yaml:1:9: warning: the annotation policy `all`"))
        for options in [
            ["--max-annotations-changed=0"], ["--max-annotations-changed=100%"],
            ["--max-newly-accepted=0", "--baseline=@base.json"], ["--max-newly-accepted=0", "--allow=agreed"],
        ] {
            let (merged, whole) = (
                ToolRun(["merge"] + parts + options, in: folder), ToolRun(diff + options, in: folder)
            )
            #expect(merged.status == whole.status && merged.output == whole.output, "\(options)")
            #expect(warnings + merged.error == whole.error, "\(options)")
        }
    }

    struct Refused: LabelledRow {
        let name: String
        let arguments: Words
        let status: scenario.ExitStatus
        let message: String
    }

    static let refused = [
        Refused(
            name: "no part", arguments: "replay @day.jsonl --shard=3/2", status: .usage,
            message: "`--shard` takes `K/N`"),
        Refused(
            name: "sorting", arguments: "replay @day.jsonl --shard=1/2 --sort", status: .usage,
            message: "`--sort` cannot be combined with `--shard`"),
        Refused(
            name: "a form", arguments: "replay @day.jsonl --partial=@p --format=json", status: .usage,
            message: "`--format` cannot be combined with `--partial`"),
        Refused(
            name: "counting", arguments: "replay @day.jsonl --partial=@p --count=ip", status: .usage,
            message: "`--count` cannot be combined with `--partial`"),
        Refused(
            name: "a scenario", arguments: "diff @s.yaml --policy=default,allow-root,all --shard=1/2",
            status: .usage, message: "`--shard` is for captures"),
        Refused(
            name: "no partial result", arguments: "merge @day.jsonl", status: .invalidInput,
            message: "not a partial result, as `--partial` writes it, or it was cut"),
        Refused(
            name: "a form of comparisons", arguments: "merge @whole --format=markdown", status: .usage,
            message: "`--format markdown` is not a form of `replay`"),
        Refused(
            name: "a limit of comparisons", arguments: "merge @whole --max-newly-rejected=1", status: .usage,
            message: "`--max-newly-rejected` is for comparisons"),
        Refused(
            name: "a limit on annotations", arguments: "merge @whole --max-annotations-changed=1",
            status: .usage, message: "`--max-annotations-changed` is for comparisons"),
        Refused(
            name: "standard input", arguments: "replay - --partial=@p", status: .usage,
            message: "of standard input that cannot be said; `scenario split` takes standard input"),
        Refused(
            name: "a missing part", arguments: "merge @first", status: .invalidInput,
            message: "parts are missing: 2/2"),
        Refused(
            name: "another number of parts", arguments: "merge @whole --shards=2", status: .invalidInput,
            message: "this is one of 1 parts, and there must be 2"),
        Refused(
            name: "another account", arguments: "merge @first @other", status: .invalidInput,
            message: "--account is given here and not in"),
    ]

    @Test(arguments: refused) func isRefused(_ row: Refused) throws {
        let folder = try Self.folder()
        _ = ToolRun("replay @day.jsonl --partial=@whole", in: folder)
        _ = ToolRun("replay @day.jsonl --partial=@first --shard=1/2", in: folder)
        _ = ToolRun("replay @day.jsonl --partial=@other --shard=2/2 --account=@a.yaml", in: folder)
        let run = ToolRun(row.arguments.list, in: folder)
        #expect(run.status == row.status)
        #expect(run.error.contains(row.message))
        #expect(run.output.isEmpty)
    }
}
