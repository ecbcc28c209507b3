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

    /// A folder with the one part of a command, `p1`, and the first line of that part.
    private static func part(_ words: [String]) throws -> (folder: TemporaryFolder, line: String) {
        let folder = try TemporaryFolder(["day.jsonl": capture, "a.yaml": "policy: default,default,all\n"])
        ToolRun(words + ["--shard=1/1", "--partial=@p1"], in: folder).ending(.success)
        return (folder, String(try #require(folder["p1"]).prefix { $0 != "\n" }))
    }

    private static let replay = ["replay", "@day.jsonl", "--account=@a.yaml", "--series"]
    private static let diff = ["diff", "@day.jsonl", "--account=@a.yaml", "--policy=default,allow-root,all"]

    // The merged report of a part with another first line, and its digest.
    private static func merge(_ line: String, as form: String = "text", in folder: TemporaryFolder) throws -> ToolRun {
        let bytes = Array(line.utf8)
        try folder.write(bytes + Array("\nsha256:\(FileDigest(of: bytes).text)\n".utf8), to: "p1")
        return ToolRun(["merge", "--format=\(form)", "@p1"], in: folder)
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
        let (folder, line) = try Self.part(row.command == "diff" ? Self.diff : Self.replay)
        let made = line.replacing(row.text, with: row.other)
        #expect(made.contains(row.other), "\(line)")
        for form in ["text", "json", "csv", row.command == "diff" ? "html" : "openmetrics"] {
            let run = try Self.merge(made, as: form, in: folder)
            #expect(run.status == .success || run.status == .invalidInput)
            expect(run.output.isEmpty, equals: (run.status == .invalidInput))
        }
    }

    @Test(
        "no number or text of a part ends the process",
        arguments: [replay, diff + ["--who=flags", "--confidence=95%"]])
    func madeUpValues(_ words: [String]) throws {
        let (folder, line) = try Self.part(words)
        var refused = 0
        for (_, value) in line.matches(of: /[:,\[](-?[0-9]+|"[^"\\]*")(?=[,\]}])/).map(\.output) {
            for other in value.hasPrefix("\"") ? ["\"x\""] : ["-1", "0", Self.most] {
                let made = line[..<value.startIndex] + other + line[value.endIndex...]
                for form in ["text", "html"] {
                    let run = try Self.merge(String(made), as: form, in: folder)
                    #expect([.success, .invalidInput, .usage, .nothingRan].contains(run.status), "\(run.error)")
                    if other == "-1", run.status == .invalidInput { refused += 1 }
                }
            }
        }
        #expect(refused > 40)
    }

    @Test("the options that a part says are read as those of a command line") func madeUpOptions() throws {
        let (folder, line) = try Self.part(Self.diff + ["--confidence=95%"])
        let made = line.replacing(#"["--confidence","95%"]"#, with: #"["--confidence","x"]"#)
        let run = try Self.merge(made, in: folder).ending(.invalidInput)
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
        expect(ToolRun(diff + ["--shard=1/2", "--partial=@p1"], in: folder).status, equals: .success)
        try commit(4)
        try folder.git("branch", "--force", "moving")
        expect(ToolRun(diff + ["--shard=2/2", "--partial=@p2"], in: folder).status, equals: .success)
        let run = ToolRun("merge @p1 @p2", in: folder)
        #expect(run.status == .invalidInput && run.output == "")
        let account = side == "before" ? "the account before the change" : "the account after it"
        #expect(run.error.contains("p2: error: \(account) differs from that in `p1`, although the names are equal"))
    }
}
