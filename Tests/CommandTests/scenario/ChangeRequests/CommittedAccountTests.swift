import Foundation
import Testing

@testable import Documents
@testable import TestSupport
@testable import scenario

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
        expect(run.status, equals: .invalidInput)
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
        try folder.write("#" + String(repeating: " ", count: DocumentLimits.maximumBytes), to: "shop.yaml")
        try folder.commit("first")
        try folder.write(Self.account, to: "shop.yaml")
        let run = ToolRun(Self.arguments("diff"), in: folder).ending(.invalidInput)
        #expect(run.error.contains("at most \(DocumentLimits.maximumBytes) are read"), "\(run.error)")
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
        expect(runs.map { $0["status"] as? Int }, equals: [0, 4])
        for (run, words) in zip(runs, ["no device of 3 would stop", "**A limit is exceeded.**"]) {
            #expect(run["calls"] as? [String] == [host.creation] && run["comments"] as? [String] == [])
            let error = try #require(run["error"] as? String)
            #expect(error.contains("no permission to comment: HTTP Error \(answer)") && !error.contains("Traceback"))
            // GitLab has no summary of a job, but its log.
            let shown = run[host.name == "github" ? "summary" : "output"] as? String
            expect(shown?.contains(words), equals: true)
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
        expect(runs.map { $0["status"] as? Int }, equals: [0, 0, 4, 0, 2], "\(runs.map { $0["error"] ?? "" })")
        // Nothing is written where nothing changed.
        let calls = [[host.creation], [], [host.change], [host.change], [host.change]]
        expect(runs.map { $0["calls"] as? [String] }, equals: calls)
        let bodies = try runs.map { try #require($0["comments"] as? [String]) }
        #expect(bodies.allSatisfy { $0.count == 1 && $0[0].hasPrefix("<!-- scenario diff -->\n") })
        expect(bodies[0], equals: bodies[1])
        #expect(bodies[0][0].contains("no device of 3 would stop getting valid tokens"))
        #expect(
            bodies[2][0].contains("would start getting valid tokens")
                && bodies[2][0].hasSuffix("**A limit is exceeded.**"))
        #expect(bodies[3][0].contains("agreed: the test phones") && !bodies[3][0].contains("A limit is exceeded"))
        #expect(bodies[4][0].contains("**The comparison failed** (exit status 2)"))
    }

    @Test(arguments: hosts) func withoutAChangeRequestThereIsNoComment(_ host: Host) async throws {
        let runs = try await Self.runs(host, [Self.run(Self.looser, isRequest: false)])
        expect(runs[0]["status"] as? Int, equals: 4)
        expect(runs[0]["calls"] as? [String], equals: [])
    }
}
