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
        #expect(run.error.contains("error: the repository lacks what `shop.yaml` holds in `first`"), "\(run.error)")
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
        let run = ToolRun(Self.arguments("diff"), in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains("at most \(DocumentLimits.maximumBytes) are read"), "\(run.error)")
    }
}
