import Testing

@testable import TestSupport
@testable import scenario

/// The reports of `diff`: headline, forms, and what is said first.
@Suite struct DiffReportTests {
    struct Row: LabelledRow {
        let name: String
        let arguments: [String]
        let headline: String
    }

    static let headlines = [
        Row(
            name: "nothing changes", arguments: ["@day.jsonl", "--policy=default,default,default"],
            headline: "no device of 2 would stop getting valid tokens; none would start; "
                + "token fetches stay as they are"),
        Row(
            name: "one would start", arguments: ["@day.jsonl", "--candidate=@root.yaml"],
            headline: "no device of 2 would stop getting valid tokens; 1 would start; token fetches stay as they are"),
        Row(
            name: "one of many would stop",
            arguments: ["@thousand.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"],
            headline: "1 of 1,000 devices (0.1 %) would stop getting valid tokens; none would start; "
                + "token fetches stay as they are"),
        Row(
            name: "many would stop", arguments: ["@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"],
            headline: "2 of 3 devices (66.7 %) would stop getting valid tokens; none would start; "
                + "token fetches stay as they are"),
        Row(
            name: "thousands would stop", arguments: ["@thousand.jsonl", "--policy=default,blacklist,default"],
            headline: "999 of 1,000 devices (99.9 %) would stop getting valid tokens; none would start; "
                + "token fetches stay as they are"),
        Row(
            // Bob attests twice, 120 s before; Amy once, 300 s: (2 × 120/45 + 300/45) / 3 = 4.
            name: "tokens live shorter",
            arguments: ["@day.jsonl", "--policy=default,allow-raj-only-short-lifetime,default"],
            headline: "no device of 2 would stop getting valid tokens; 1 would start; token fetches rise 4×"),
        Row(
            // (2 × 45/120 + 45/300) / 3 = 0.3.
            name: "tokens live longer",
            arguments: [
                "@day.jsonl", "--account=@short.yaml", "--candidate=@plain.yaml",
            ],
            headline: "1 of 2 devices (50.0 %) would stop getting valid tokens; none would start; "
                + "token fetches fall 0.3×"),
        Row(
            // (1 + 1 + 300/120) / 3 = 1.5.
            name: "one device becomes risky",
            arguments: ["@day.jsonl", "--change=filter -add a -key device-id -matchValue \(Sample.amy) -risky"],
            headline: "no device of 2 would stop getting valid tokens; none would start; token fetches rise 1.5×"),
        Row(
            // 2/3 × 120/120 + 1/3 × 120/300 = 0.8.
            name: "a device is risky no longer",
            arguments: ["@day.jsonl", "--account=@risky.yaml", "--candidate=@plain.yaml"],
            headline: "no device of 2 would stop getting valid tokens; none would start; token fetches fall 0.8×"),
    ]

    private static let files = DiffSample.files.merging([
        "short.yaml": "policy: default,allow-raj-only-short-lifetime,default\n",
        "risky.yaml": "filters: [{name: a, key: device-id, match: \(Sample.amy), risky: true}]\n",
    ]) { $1 }

    @Test(arguments: headlines) func headlineSaysWhatWouldHappen(_ row: Row) throws {
        let text = try ToolRun(DiffSample.named(["diff"] + row.arguments), files: Self.files)
        #expect(text.output.split(separator: "\n").first.map(String.init) == row.headline)
        let markdown = try ToolRun(DiffSample.named(["diff", "--format=markdown"] + row.arguments), files: Self.files)
        #expect(markdown.output.split(separator: "\n").first.map(String.init) == "**\(row.headline)**")
    }

    @Test func theTextIsAsWorkedOut() throws {
        let run = try ToolRun(
            ["diff", "@day.jsonl", "--account=new", "--candidate=@root.yaml"], files: DiffSample.files)
        #expect(
            run.output == """
                no device of 2 would stop getting valid tokens; 1 would start; token fetches stay as they are

                Policy
                  before: default,default,default
                  after:  default,allow-root,default
                  flag                      before   after
                  rooted                    rejects  accepts
                  xposed                    rejects  accepts
                  safetynet-fail-integrity  rejects  accepts

                Newly accepted
                  2 attestations (66.7 %) of 1 devices (50.0 %) would pass

                Newly accepted, by flag
                          devices    share  attestations  first device
                  rooted        1  100.0 %             2  \(Sample.bob)

                Newly accepted, by operating system
                           devices    share  attestations  first device
                  unknown        1  100.0 %             2  \(Sample.bob)

                Newly accepted, for example
                  device                    before                                after         \
                                           like it
                  \(Sample.bob)  rooted under default,default,default  \
                passes under default,allow-root,default        2

                Token lifetimes
                  token fetches a day: 72 before, 72 expected after
                  before  after  attestations   share
                  300 s   300 s             1  33.3 %
                  120 s   120 s             2  66.7 %

                """)
    }

    @Test(arguments: ["text", "json", "markdown"]) func anyFormGoesToAFile(form: String) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let arguments = ["diff", "@day.jsonl", "--account=new", "--candidate=@root.yaml", "--format", form]
        let printed = ToolRun(arguments, in: folder)
        let written = ToolRun(arguments + ["--output", "@report"], in: folder)
        #expect(printed.status == .success)
        #expect(written.status == .success)
        #expect(written.output == "")
        #expect(folder["report"] == printed.output)
        #expect(printed.output.hasSuffix("\n"))
    }

    @Test func whatIsNotReproducedComesFirst() throws {
        let run = try ToolRun(
            ["diff", "@day.txt", "--account=@root.yaml", "--candidate=@plain.yaml"], files: DiffSample.files)
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(
            Array(lines.prefix(6)) == [
                "1 of 2 devices (50.0 %) would stop getting valid tokens; none would start; "
                    + "token fetches stay as they are",
                "", "The account before does not reproduce the capture",
                "  1 of 2 captured verdicts (50.0 %) are others than those of this account; "
                    + "is it the account of the capture?",
                "  captured  this account        records  first device",
                "  failed    passes with rooted        1  \(Sample.bob)",
            ])
    }

    @Test func whatIsReproducedIsNotMentioned() throws {
        let run = try ToolRun(["diff", "@day.txt", "--account=new", "--candidate=@root.yaml"], files: DiffSample.files)
        #expect(!run.output.contains("reproduce"))
        let json = try ToolRun(
            ["diff", "@day.txt", "--account=new", "--candidate=@root.yaml", "--format=json"], files: DiffSample.files)
        let report = try JSONText(json.output)
        #expect(report["before", "reproduced"] as? [String: Int] == ["compared": 2, "agreed": 2])
        #expect(report["after", "reproduced"] as? [String: Int] == ["compared": 2, "agreed": 1])
        #expect((report["changes", "disagreements"] as? [Any])?.isEmpty == true)
    }

    @Test func theJSONKeepsItsShape() throws {
        let run = try ToolRun(
            ["diff", "@day.txt", "--account=new", "--candidate=@root.yaml", "--format=json"], files: DiffSample.files)
        let report = try JSONText(run.output)
        #expect(report.keys[0] == ["version", "before", "after", "changes"])
        #expect(report.integer("version") == 1)
        let changes = try #require(report["changes"] as? [String: Any])
        #expect(
            changes.keys.sorted() == [
                "annotations", "attestations", "certainty", "compared", "counts", "devices", "disagreements", "fetches",
                "judged",
                "let-in",
                "lifetimes", "locked-out", "newly-accepted", "newly-rejected", "policies", "policy-difference",
                "token-fetches", "unjudged",
            ])
        for side in ["newly-rejected", "newly-accepted"] {
            let keys = (changes[side] as? [String: Any])?.keys.sorted()
            #expect(
                keys == [
                    "apps", "attestations", "device-names", "devices", "examples", "fetches", "filters", "flags",
                    "others", "systems", "versions",
                ])
        }
        // Everything below the top level and the two reports is sorted.
        for keys in report.keys.dropFirst() where keys.first != "version" {
            #expect(keys == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
        #expect(run.output.count { $0 == "\n" } == 1)
    }
}
