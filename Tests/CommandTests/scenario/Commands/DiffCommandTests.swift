import Testing

@testable import TestSupport
@testable import scenario

/// `diff` as `replay` and `--changes` have it; `Tests/Transcripts/diff` shows the rest.
@Suite struct DiffCommandTests {
    @Test func eachSideIsTheReportOfItsReplay() throws {
        let options = ["@day.jsonl", "--fetches=@fetches.txt", "--format=json"]
        let folder = try TemporaryFolder(DiffSample.files)
        // The command that explains a device is about the whole report.
        func side(_ account: String) throws -> String {
            let report = ToolRun(["replay", account] + options, in: folder).output
            let explain = try #require(report.firstRange(of: ",\"explain\":\""))
            return String(report[..<explain.lowerBound]) + "}"
        }
        let (before, after) = (try side("--account=new"), try side("--account=@root.yaml"))
        let output = ToolRun(["diff", "--account=new", "--candidate=@root.yaml"] + options, in: folder).output
        #expect(output.hasPrefix("{\"version\":1,\"before\":\(before),\"after\":\(after),\"changes\":{"))
    }

    @Test(arguments: ["text", "json", "markdown"]) func anyFormGoesToAFile(form: String) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let arguments = ["diff", "@day.jsonl", "--account=new", "--candidate=@root.yaml", "--format", form]
        let printed = ToolRun(arguments, in: folder).ending(.success)
        let written = ToolRun(arguments + ["--output", "@report"], in: folder).ending(.success)
        #expect(written.output == "" && printed.output.hasSuffix("\n"))
        expect(folder["report"]?.replacing(folder.path + "/", with: ""), equals: printed.output)
    }

    // With other bytes it would be another command.
    @Test func aLineThatIsNotUTF8IsRefused() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        try folder.write(
            Array("policy -set default,allow-root,default\nfilter -add f -key x -match ".utf8) + [0xFF, 0x0A],
            to: "changes")
        let run = ToolRun("diff @day.jsonl --account=new --changes @changes", in: folder).ending(.invalidInput)
        expect(run.error, equals: "changes:2: error: the command is not UTF-8\n")
    }

    @Test func theJSONKeepsItsShape() throws {
        let run = try ToolRun(
            "diff @day.txt --account=new --candidate=@root.yaml --format=json", files: DiffSample.files)
        let report = try JSONText(run.output)
        expect(report.keys[0], equals: ["version", "before", "after", "changes", "sentence", "explain"])
        expect(report.integer("version"), equals: 1)
        let changes = try #require(report["changes"] as? [String: Any])
        expect(
            changes.keys.sorted(),
            equals: [
                "annotations", "attestations", "certainty", "compared", "counts", "decided-rules", "devices",
                "disagreements", "fetches", "judged",
                "let-in",
                "lifetimes", "locked-out", "newly-accepted", "newly-rejected", "policies", "policy-difference",
                "token-fetches", "unjudged",
            ])
        for side in ["newly-rejected", "newly-accepted"] {
            let keys = (changes[side] as? [String: Any])?.keys.sorted()
            expect(
                keys,
                equals: [
                    "apps", "attestations", "device-names", "devices", "examples", "fetches", "filters", "flags",
                    "others", "systems", "versions",
                ])
        }
        // Everything below the top level and the two reports is sorted.
        for keys in report.keys.dropFirst() where keys.first != "version" {
            expect(keys, equals: keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
        expect(run.output.count { $0 == "\n" }, equals: 1)
    }
}
