import Foundation
import Testing

@testable import Documents
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
        let arguments: Words
        /// The numbers of the three devices, two of them rooted, that are newly rejected and newly accepted.
        let rejected, accepted: Int
    }

    static let rows = [
        Row(name: "two commits", arguments: "--base=first --head=second", rejected: 0, accepted: 2),
        Row(name: "the other way", arguments: "--base=second --head=first", rejected: 2, accepted: 0),
        Row(name: "the working tree", arguments: "--base=first", rejected: 1, accepted: 0),
        Row(name: "the working tree by name", arguments: "--base=HEAD --head=WORKTREE", rejected: 3, accepted: 0),
        Row(name: "the same", arguments: "--base=second --head=HEAD", rejected: 0, accepted: 0),
    ]

    @Test(arguments: rows) func accountsComeFromGit(_ row: Row) throws {
        let folder = try Self.repository()
        let run = ToolRun(
            ["diff", "@three.jsonl", "--account=@accounts/prod.yaml", "--format=json"] + row.arguments.list, in: folder)
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

    static let refused: [ToolRow] = [
        ToolRow(
            name: "unknown commit", arguments: "--base=third", status: .invalidInput,
            error: """
                third:accounts/prod.yaml: error: git knows no commit `third`
                  hint: in a clone of one commit, `git fetch` gets others

                """),
        ToolRow(
            name: "a commit like an option", arguments: "--base=first --head=--help", status: .invalidInput,
            error: """
                --help:accounts/prod.yaml: error: git knows no commit `--help`
                  hint: in a clone of one commit, `git fetch` gets others

                """),
        ToolRow(
            name: "base with a change", arguments: "--base=first --policy=default,strict,default", status: .usage,
            error: """
                scenario: error: `--base` cannot be combined with `--policy`; give one of `--change`, `--changes`, `--policy`, \
                `--candidate`, `--base`

                """),
        .usage("head alone", "--head=first --policy=default,strict,default", "`--head` needs `--base`"),
        .usage(
            "a reason without a limit", "--base=first --allow=agreed",
            "`--allow` needs a limit; such as `--max-newly-rejected`"),
        ToolRow(
            name: "a baseline that is none",
            arguments: "--base=first --max-newly-rejected=0 --baseline=@three.jsonl", status: .invalidInput,
            error: """
                three.jsonl: error: this is not a comparison
                  hint: `scenario diff … --format json --output FILE` writes one

                """),
    ]

    @Test(arguments: refused) func saysWhatIsWrong(_ row: ToolRow) throws {
        let folder = try Self.repository()
        let run = ToolRun(["diff", "@three.jsonl", "--account=@accounts/prod.yaml"] + row.arguments.list, in: folder)
        let error = run.error.replacing("`\(folder.path)/", with: "`").replacing("\(folder.path)/", with: "")
        #expect(run.status == row.status && error == row.error && run.output == "")
    }

    @Test func aFileThatIsNotCommittedIsNotThere() throws {
        let folder = try Self.repository()
        try folder.write("account: new\n", to: "accounts/new.yaml")
        let run = ToolRun("diff @three.jsonl --account=@accounts/new.yaml --base=HEAD", in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains("there is no file") && run.error.contains("is compared with `--candidate`"))
    }

    @Test func withoutARepositoryThatIsSaid() throws {
        let folder = try TemporaryFolder(["three.jsonl": "", "prod.yaml": "account: a\n"])
        let run = ToolRun("diff @three.jsonl --account=@prod.yaml --base=HEAD", in: folder)
        #expect(run.status == .invalidInput && run.error.contains("belongs to no git repository"))
    }
}

/// Repositories that a stranger made: what git would run for them is not run, and nothing is fetched.
@Suite struct HostileRepositoryTests {
    private static let account = "account: shop\npolicy: default,default,default\n"

    /// A clone whose tag `first` has an account that is missing in it, so that git would get it from the remote.
    ///
    /// - Parameter settings: Of the repository, each of which names `mark` in its folder as the program to run.
    private static func repository(_ settings: [(String, String)]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder([
            "shop.yaml": account, "three.jsonl": DiffSample.capture(devices: 3, rooted: 2),
            "all/near.yaml": "scenario: Near\naccount: ../shop.yaml\ndevices: {phone: {os: ios}}\n"
                + "steps: [{at: 0s, fetch: phone, expect: {verdict: pass}}]\n",
        ])
        try folder.write("#!/bin/sh\ntouch '\(folder.path)/ran'\n", to: "mark")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("mark"))
        try folder.git("init", "--quiet")
        try folder.commit("first")
        try folder.write(account + "grace: 5s\n", to: "shop.yaml")
        try folder.commit("second")
        let name = try #require(FileDigest.blobName(of: Array(account.utf8), digits: 40))
        try folder.remove(".git/objects/\(name.prefix(2))/\(name.dropFirst(2))")
        for (key, value) in settings {
            try folder.git(
                "config", key, value.replacing("MARK", with: folder.path("mark")).replacing("HERE", with: folder.path))
        }
        return folder
    }

    struct Row: LabelledRow {
        let name: String
        let settings: [(String, String)]
    }

    private static let promisor = [
        ("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
    ]

    static let rows = [
        Row(
            name: "the program at the other end",
            settings: promisor + [("remote.origin.url", "HERE"), ("remote.origin.uploadpack", "MARK")]),
        Row(
            name: "and its protocol is allowed",
            settings: promisor + [
                ("remote.origin.url", "HERE"), ("remote.origin.uploadpack", "MARK"), ("protocol.file.allow", "always"),
                ("protocol.allow", "always"),
            ]),
        Row(
            name: "a protocol that is a program",
            settings: promisor + [("remote.origin.url", "ext::MARK"), ("protocol.ext.allow", "always")]),
        Row(
            name: "the program for SSH",
            settings: promisor + [("remote.origin.url", "ssh://localhost/x"), ("core.sshCommand", "MARK")]),
        Row(
            name: "what looks after the index",
            settings: promisor + [("core.fsmonitor", "MARK"), ("core.hooksPath", "HERE"), ("core.pager", "MARK")]),
    ]

    private static func arguments(_ command: String) -> [String] {
        let account = command == "diff" ? "--account" : "--affected-by"
        return [
            command, command == "diff" ? "@three.jsonl" : "@all", "\(account)=@shop.yaml", "--base=first",
            "--no-progress",
        ]
            + (command == "run" ? ["--allow-outside"] : [])
    }

    @Test(arguments: rows, ["diff", "run"]) func nothingOfTheRepositoryIsRun(_ row: Row, command: String) throws {
        let folder = try Self.repository(row.settings)
        let run = ToolRun(Self.arguments(command), in: folder)
        #expect(folder["ran"] == nil)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains("error: the repository lacks the content of `shop.yaml` in `first`"), "\(run.error)")
    }

    // The sample does what it is meant to do: git itself would run the program.
    @Test func gitWouldRunIt() throws {
        let folder = try Self.repository(Self.rows[0].settings)
        let git = try Process.run(
            URL(filePath: "/usr/bin/git"), arguments: ["-C", folder.path, "cat-file", "blob", "first:./shop.yaml"])
        git.waitUntilExit()
        #expect(folder["ran"] != nil)
    }

    // A file that the clone lacks is known to exist, so that a scenario is not left out.
    @Test func aFileThatIsMissingInTheCloneIsNotOneThatNeverWas() throws {
        let folder = try Self.repository(Self.promisor)
        #expect(try GitRepository.has(folder.path("shop.yaml"), at: "first"))
        #expect(try !GitRepository.has(folder.path("none.yaml"), at: "first"))
        #expect(try GitRepository.unchanged([folder.path("shop.yaml")], since: "first").isEmpty)
    }

    // Git waited for ever for somebody to read the rest.
    @Test func aFileThatIsTooLongIsRefused() throws {
        let folder = try TemporaryFolder(["three.jsonl": DiffSample.capture(devices: 3, rooted: 2)])
        try folder.git("init", "--quiet")
        try folder.write("#" + String(repeating: " ", count: DocumentLimits.maximumBytes), to: "shop.yaml")
        try folder.commit("first")
        try folder.write(Self.account, to: "shop.yaml")
        let run = ToolRun(Self.arguments("diff"), in: folder).ending(.invalidInput)
        #expect(run.error.contains("at most \(DocumentLimits.maximumBytes) are read"), "\(run.error)")
    }
}

extension TemporaryFolder {
    /// Runs git in the folder; it must succeed.
    func git(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/git")
        process.arguments =
            ["-C", path, "-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"] + words
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Commits all that is in the folder, under a tag.
    func commit(_ tag: String) throws {
        try git("add", ".")
        try git("commit", "--quiet", "--message", tag)
        try git("tag", tag)
    }
}

/// The example action and the example job, beside stand-ins for GitHub and GitLab.
@Suite struct IntegrationTests {
    private static let stricter = "policy: default,strict,risk\n"
    private static let looser = "policy: default,allow-root,default\n"

    struct Host: LabelledRow {
        let name, creation, change: String
    }

    static let hosts = [
        Host(
            name: "github", creation: "POST /repos/owner/name/issues/7/comments",
            change: "PATCH /repos/owner/name/issues/comments/100"),
        Host(
            name: "gitlab", creation: "POST /projects/12/merge_requests/7/notes",
            change: "PUT /projects/12/merge_requests/7/notes/100"),
    ]

    private static func runs(_ host: Host, _ runs: [[String: Any]]) async throws -> [[String: Any]] {
        let root = Repository.root.standardizedFileURL.path(percentEncoded: false)
        let answer = try await Tooling.answer(
            of: "change_requests.py",
            to: [
                "host": host.name, "root": String(root.dropLast()), "tool": ToolProcess.path, "runs": runs,
            ])
        return try #require(answer["runs"] as? [[String: Any]])
    }

    @Test(arguments: hosts, [401, 403, 404]) func aCommentThatIsRefusedKeepsTheVerdict(_ host: Host, _ answer: Int)
        async throws
    {
        let refused = [Self.stricter, Self.looser].map { account in
            Self.run(account).merging(["answer": answer]) { $1 }
        }
        let runs = try await Self.runs(host, refused)
        #expect(runs.map { $0["status"] as? Int } == [0, 4])
        for (run, words) in zip(runs, ["no device of 3 would stop", "**A limit is exceeded.**"]) {
            #expect(run["calls"] as? [String] == [host.creation] && run["comments"] as? [String] == [])
            let error = try #require(run["error"] as? String)
            #expect(error.contains("no permission to comment: HTTP Error \(answer)") && !error.contains("Traceback"))
            // GitLab has no summary of a job, but its log.
            let shown = run[host.name == "github" ? "summary" : "output"] as? String
            #expect(shown?.contains(words) == true)
        }
    }

    @Test(arguments: hosts) func aHostThatFailsIsNoVerdict(_ host: Host) async throws {
        let runs = try await Self.runs(host, [Self.run(Self.stricter).merging(["answer": 500]) { $1 }])
        #expect(runs.map { $0["status"] as? Int } == [2] && runs[0]["summary"] as? String == "")
        let error = try #require(runs[0]["error"] as? String)
        #expect(error.contains("HTTP Error 500") && !error.contains("Traceback"))
    }

    private static func run(
        _ account: String, _ more: [String: String] = [:], isRequest: Bool = true
    ) -> [String: Any] {
        let inputs = [
            "account": "accounts/prod.yaml", "captures": "day.jsonl\n", "max-newly-accepted": "0",
        ].merging(more) { $1 }
        return ["account": account, "inputs": inputs, "request": isRequest]
    }

    @Test(arguments: hosts) func oneCommentIsKeptUpToDate(_ host: Host) async throws {
        let runs = try await Self.runs(
            host,
            [
                Self.run(Self.stricter), Self.run(Self.stricter), Self.run(Self.looser),
                Self.run(Self.looser, ["allow": "agreed: the test phones"]), Self.run("polcy: x\n"),
            ])
        #expect(runs.map { $0["status"] as? Int } == [0, 0, 4, 0, 2], "\(runs.map { $0["error"] ?? "" })")
        // Nothing is written where nothing changed.
        let calls = [[host.creation], [], [host.change], [host.change], [host.change]]
        #expect(runs.map { $0["calls"] as? [String] } == calls)
        let bodies = try runs.map { try #require($0["comments"] as? [String]) }
        #expect(bodies.allSatisfy { $0.count == 1 && $0[0].hasPrefix("<!-- scenario diff -->\n") })
        #expect(bodies[0] == bodies[1])
        #expect(bodies[0][0].contains("no device of 3 would stop getting valid tokens"))
        #expect(bodies[2][0].contains("1 would start") && bodies[2][0].hasSuffix("**A limit is exceeded.**"))
        #expect(bodies[3][0].contains("agreed: the test phones") && !bodies[3][0].contains("A limit is exceeded"))
        #expect(bodies[4][0].contains("**The comparison failed** (exit status 2)"))
    }

    @Test(arguments: hosts) func withoutAChangeRequestThereIsNoComment(_ host: Host) async throws {
        let runs = try await Self.runs(host, [Self.run(Self.looser, isRequest: false)])
        #expect(runs[0]["status"] as? Int == 4)
        #expect(runs[0]["calls"] as? [String] == [])
    }
}
