import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `scenario diff --base`: accounts as commits of git have them.
@Suite struct CommittedAccountTests {
    /// A repository: `first` has the default policy, `second` takes rooted devices, and the working tree all devices.
    private static func repository() throws -> TemporaryFolder {
        let folder = try TemporaryFolder(["three.jsonl": DiffSample.capture(devices: 3, rooted: 2)])
        try folder.git("init", "--quiet")
        for (tag, policy) in [("first", "default"), ("second", "allow-root")] {
            try folder.write("account: prod\npolicy: default,\(policy),default\n", to: "accounts/prod.yaml")
            try folder.commit(tag)
        }
        try folder.write("account: prod\npolicy: default,blacklist,default\n", to: "accounts/prod.yaml")
        return folder
    }

    struct Row: LabelledRow {
        let name: String
        let arguments: [String]
        /// The numbers of the three devices, two of them rooted, that are newly rejected and newly accepted.
        let rejected, accepted: Int
    }

    static let rows = [
        Row(name: "two commits", arguments: ["--base=first", "--head=second"], rejected: 0, accepted: 2),
        Row(name: "the other way", arguments: ["--base=second", "--head=first"], rejected: 2, accepted: 0),
        Row(name: "the working tree", arguments: ["--base=first"], rejected: 1, accepted: 0),
        Row(name: "the working tree by name", arguments: ["--base=HEAD", "--head=WORKTREE"], rejected: 3, accepted: 0),
        Row(name: "the same", arguments: ["--base=second", "--head=HEAD"], rejected: 0, accepted: 0),
    ]

    @Test(arguments: rows) func accountsComeFromGit(_ row: Row) throws {
        let folder = try Self.repository()
        let run = ToolRun(
            ["diff", "@three.jsonl", "--account=@accounts/prod.yaml", "--format=json"] + row.arguments, in: folder)
        #expect(run.status == .success && run.error == "")
        let changes = try #require(try JSONText(run.output)["changes"] as? [String: Any])
        let counts = ["newly-rejected", "newly-accepted"].map { (changes[$0] as? [String: Any])?["devices"] as? Int }
        #expect(counts == [row.rejected, row.accepted])
    }

    @Test func markdownIsTheSameWhereNothingChanged() throws {
        let folder = try Self.repository()
        func report(_ arguments: String...) -> String {
            ToolRun(
                ["diff", "@three.jsonl", "--account=@accounts/prod.yaml", "--format=markdown"] + arguments, in: folder
            ).output
        }
        let first = report("--base=first", "--head=second", "--jobs=1")
        #expect(first.hasPrefix("**no device of 3 would stop getting valid tokens; 2 would start"))
        #expect(report("--base=second~1", "--head=HEAD", "--jobs=4") == first)
        try folder.write("account: prod\npolicy: default,allow-root,default # as agreed\n", to: "accounts/prod.yaml")
        #expect(report("--base=first") == first)
    }

    static let refused = [
        ToolRow(
            name: "unknown commit", arguments: ["--base=third"], status: .invalidInput,
            error: """
                third:accounts/prod.yaml: error: git knows no commit `third`
                  hint: in a clone of one commit, `git fetch` gets others

                """),
        ToolRow(
            name: "a commit like an option", arguments: ["--base=first", "--head=--help"], status: .invalidInput,
            error: """
                --help:accounts/prod.yaml: error: git knows no commit `--help`
                  hint: in a clone of one commit, `git fetch` gets others

                """),
        ToolRow(
            name: "base with a change", arguments: ["--base=first", "--policy=default,strict,default"], status: .usage,
            error: """
                scenario: error: `--base` cannot go with `--policy`; give one of `--change`, `--changes`, `--policy`, \
                `--candidate`, `--base`

                """),
        ToolRow(
            name: "head alone", arguments: ["--head=first", "--policy=default,strict,default"], status: .usage,
            error: "scenario: error: `--head` needs `--base`\n"),
        ToolRow(
            name: "a reason without a limit", arguments: ["--base=first", "--allow=agreed"], status: .usage,
            error: "scenario: error: `--allow` needs a limit; such as `--max-newly-rejected`\n"),
        ToolRow(
            name: "a baseline that is none",
            arguments: ["--base=first", "--max-newly-rejected=0", "--baseline=@three.jsonl"], status: .invalidInput,
            error: """
                three.jsonl: error: this is no comparison
                  hint: `scenario diff … --format json --output FILE` writes one

                """),
    ]

    @Test(arguments: refused) func saysWhatIsWrong(_ row: ToolRow) throws {
        let folder = try Self.repository()
        let run = ToolRun(["diff", "@three.jsonl", "--account=@accounts/prod.yaml"] + row.arguments, in: folder)
        let error = run.error.replacing("`\(folder.path)/", with: "`").replacing("\(folder.path)/", with: "")
        #expect(run.status == row.status && error == row.error && run.output == "")
    }

    @Test func aFileThatIsNotCommittedIsNotThere() throws {
        let folder = try Self.repository()
        try folder.write("account: new\n", to: "accounts/new.yaml")
        let run = ToolRun(["diff", "@three.jsonl", "--account=@accounts/new.yaml", "--base=HEAD"], in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains("there is no file") && run.error.contains("is compared with `--candidate`"))
    }

    @Test func withoutARepositoryThatIsSaid() throws {
        let folder = try TemporaryFolder(["three.jsonl": "", "prod.yaml": "account: a\n"])
        let run = ToolRun(["diff", "@three.jsonl", "--account=@prod.yaml", "--base=HEAD"], in: folder)
        #expect(run.status == .invalidInput && run.error.contains("belongs to no git repository"))
    }
}
