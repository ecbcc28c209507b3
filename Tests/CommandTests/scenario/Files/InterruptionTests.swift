import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Commands that are killed, or whose system calls fail, wherever that can happen. `make test` installs strace.
@Suite(.serialized) struct KillTests {
    private static let account = "account: prod\npolicy: default,default,default\n"

    struct Change: LabelledRow {
        let name: String
        let command: [String]
        var keys: String?
        /// True if both files change.
        var isJoint = false
        /// A text of the file that changes, which it has afterwards and not before.
        let file, text: String

        var arguments: [String] { ["approov", "--account", "a.yaml", "--yes"] + command }

        func folder() throws -> TemporaryFolder {
            guard let keys else { return try TemporaryFolder(["a.yaml": account]) }
            let folder = try TemporaryFolder(["a.yaml": account + "keys: a.keys\n", "a.keys": keys])
            unsafe expect(chmod(folder.path("a.keys"), 0o600), equals: 0)
            return folder
        }

        /// True if the change was made; both files must agree on it.
        func isMade(in folder: TemporaryFolder) -> Bool {
            let isMade = folder[file]?.contains(text) == true
            if isJoint { expect(folder["a.yaml"]?.contains("keys: a.keys"), equals: isMade) }
            return isMade
        }
    }

    static let changes = [
        Change(
            name: "the account", command: ["policy", "-set", "default,strict,risk"], file: "a.yaml",
            text: "default,strict,risk"),
        Change(
            name: "the first key", command: ["keyset", "-add", "HS256", "-kid", "new"], isJoint: true, file: "a.keys",
            text: "kid: new"),
        Change(
            name: "another key", command: ["keyset", "-add", "HS256", "-kid", "new"], keys: "key-id: me\n",
            file: "a.keys", text: "kid: new"),
    ]

    private static func traced(_ options: [String]) -> [String] { ["/usr/bin/strace", "-f", "-o"] + options }

    // The system calls of a change, by their names in their order.
    private static func calls(of change: Change) throws -> [String] {
        let folder = try change.folder()
        let status = try ToolProcess(change.arguments, in: folder, by: traced(["trace"])).end().status
        expect(status, equals: 0)
        let lines = (folder["trace"] ?? "").split(separator: "\n")
        return lines.compactMap { $0.firstMatch(of: /^\d+ +(\w+)\(/).map { String($0.output.1) } }
    }

    // The calls from the lock on, or all of them; a quick run takes every third of those.
    private static func numbers(of calls: [String], fromLock: Bool = false) throws -> [Int] {
        let lock = try #require(calls.firstIndex(of: "flock"))
        let first = fromLock ? lock : Exhaustive.choice(lock, whole: 0)
        return Array(stride(from: first, to: calls.count, by: Exhaustive.choice(3, whole: 1)))
    }

    // Checks the files of a process that has ended in between, and the next command on them.
    private static func check(_ folder: TemporaryFolder, after change: Change, at position: String) throws {
        let next = ["approov", "--account", "a.yaml", "--yes", "api", "-add", "next.com"]
        let end = try ToolProcess(next, in: folder).end()
        expect(end.status, equals: 0, "\(position): \(end.error)")
        let before = try change.folder()
        let isMade = change.isMade(in: folder)
        let account = folder["a.yaml"] ?? ""
        #expect(account.hasPrefix("account: prod\npolicy: default,") && account.contains("next.com"), "\(position)")
        if !isMade { expect(folder["a.keys"], equals: before["a.keys"], "\(position)") }
        if let keys = change.keys { expect(folder["a.keys"]?.contains(keys), equals: true, "\(position)") }
        let names = ToolProcess.names(in: folder)
        expect(
            names,
            equals: ["a.keys", "a.yaml"].filter {
                $0 == "a.yaml" || isMade && change.file == "a.keys" || change.keys != nil
            }, "\(position)")
    }

    @Test("killed at every system call", arguments: changes) func killed(_ change: Change) throws {
        let calls = try Self.calls(of: change)
        for number in try Self.numbers(of: calls) {
            let folder = try change.folder()
            let options = ["/dev/null", "--inject=all:signal=KILL:when=\(number + 1)"]
            _ = try ToolProcess(change.arguments, in: folder, by: Self.traced(options)).end()
            try Self.check(folder, after: change, at: "call \(number + 1), \(calls[number])")
        }
    }

    static let errors = Exhaustive.choice(["ENOSPC"], whole: ["ENOSPC", "EIO"])

    @Test("every system call fails", arguments: changes, errors) func failing(_ change: Change, error: String) throws {
        let calls = try Self.calls(of: change)
        let names = [
            "write", "fsync", "close", "rename", "link", "unlink", "openat", "fchmod", "fcntl", "flock", "read",
        ]
        for number in try Self.numbers(of: calls, fromLock: true) where names.contains(calls[number]) {
            let name = calls[number]
            let when = calls[...number].count { $0 == name }
            let folder = try change.folder()
            let options = ["/dev/null", "--inject=\(name):error=\(error):when=\(when)"]
            let end = try ToolProcess(change.arguments, in: folder, by: Self.traced(options)).end()
            let position = "\(name) \(when): \(end)"
            let isMade = change.isMade(in: folder)
            #expect([0, 2].contains(end.status), "\(position)")
            if end.status == 0 { #expect(isMade, "\(position)") }
            if end.error.contains("nothing was changed") { #expect(!isMade && end.status == 2, "\(position)") }
            if end.status == 2, isMade { #expect(end.error.contains("was changed anyway"), "\(position)") }
            try Self.check(folder, after: change, at: position)
        }
    }

    static let signals = [SIGINT, SIGTERM, SIGHUP]

    @Test("a signal leaves nothing behind", arguments: signals) func signalled(signal: Int32) throws {
        let folder = try TemporaryFolder([
            "s.yaml": "scenario: s\ndevices:\n  crowd: {count: 1000, os: ios}\n", "out": "earlier",
        ])
        let run = try ToolProcess(["generate", "s.yaml", "--events", "5000000", "--output", "out"], in: folder)
        try Self.waitForPartialFile(in: folder)
        run.send(signal)
        expect(run.end().status, equals: -signal)
        expect(ToolProcess.names(in: folder), equals: ["out", "s.yaml"])
        expect(folder["out"], equals: "earlier")
    }

    @Test func aKilledFileIsRemovedByTheNextRun() throws {
        let folder = try TemporaryFolder(["s.yaml": "scenario: s\ndevices:\n  crowd: {count: 1000, os: ios}\n"])
        let run = try ToolProcess(["generate", "s.yaml", "--events", "5000000", "--output", "out"], in: folder)
        try Self.waitForPartialFile(in: folder)
        // One that is being written is nobody's to remove.
        try Self.generateOne(in: folder)
        expect(folder.names.count { $0.hasSuffix(".partial") }, equals: 1)
        run.send(SIGKILL)
        expect(run.end().status, equals: -SIGKILL)
        expect(folder.names.count { $0.hasSuffix(".partial") }, equals: 1)
        try Self.generateOne(in: folder)
        expect(ToolProcess.names(in: folder), equals: ["out", "s.yaml"])
    }

    private static func waitForPartialFile(in folder: TemporaryFolder) throws {
        for _ in 0..<60_000 {
            if folder.names.contains(where: { $0.hasSuffix(".partial") }) { return }
            usleep(1_000)
        }
        throw TestFailure("nothing is written")
    }

    private static func generateOne(in folder: TemporaryFolder) throws {
        let status = try ToolProcess(["generate", "s.yaml", "--events", "1", "--output", "out"], in: folder).end()
            .status
        expect(status, equals: 0)
    }

    @Test func generationStopsWhenNobodyReads() throws {
        let folder = try TemporaryFolder(["s.yaml": "scenario: s\ndevices:\n  crowd: {count: 1000, os: ios}\n"])
        let run = try ToolProcess(["generate", "s.yaml", "--events", "5000000"], in: folder)
        #expect(run.read().hasPrefix("--- "))
        run.stopReading()
        expect(run.end().status, equals: 0)
    }

    @Test func aLostAnswerDoesNotHideTheChange() throws {
        let folder = try TemporaryFolder(["a.yaml": Self.account])
        let run = ["approov", "--account", "a.yaml", "filter", "-setSamplingPercentage", "5"]
        let end = try ToolProcess(run, in: folder, output: "/dev/full").end()
        expect(end.status, equals: 2)
        expect(
            end.error,
            equals: "scenario: error: standard output: no space left on device; `a.yaml` was changed anyway\n")
        expect(folder["a.yaml"]?.contains("sampling-percentage: 5"), equals: true)
    }
}

/// Commands that change one account at the same time, and what is typed into the file meanwhile.
@Suite(.serialized) struct ConcurrentChangeTests {
    private static let account = "account: prod\npolicy: default,default,default # ours\n"

    // 100 rounds with `EXHAUSTIVE=1`.
    @Test("all of 50 changes that ended well are in the file", arguments: 0..<Exhaustive.count(2, whole: 100))
    func nothingIsLost(round: Int) throws {
        let folder = try TemporaryFolder(["a.yaml": Self.account])
        // A key set has at most 10 keys, and an account 25 domains.
        let commands: [(words: [String], file: String, text: String)] = (0..<50).map { number in
            switch number % 5 {
            case 0: (["keyset", "-add", "HS256", "-kid", "k\(number)x"], "a.keys", "kid: k\(number)x")
            case 1, 2: (["api", "-add", "d\(number).com"], "a.yaml", "d\(number).com")
            default:
                (["filter", "-add", "f\(number)x", "-key", "ip", "-matchValue", "1"], "a.yaml", "name: f\(number)x")
            }
        }
        let options = ["approov", "--account", "a.yaml", "--yes"]
        let runs = try commands.map { try ToolProcess(options + $0.words, in: folder) }
        let ends = runs.map { $0.end() }
        #expect(ends.allSatisfy { $0.status == 0 }, "\(ends.filter { $0.status != 0 })")
        for command in commands {
            expect(folder[command.file]?.contains(command.text), equals: true, "\(command.words)")
        }
        expect(ToolProcess.names(in: folder), equals: ["a.keys", "a.yaml"])
    }

    private static let waiting = ["approov", "--account", "a.yaml", "policy", "-set", "default,strict,default"]

    struct Meanwhile: LabelledRow {
        let name: String
        /// The edit that somebody makes while the command waits for its `YES`.
        let edit: @Sendable (TemporaryFolder) throws -> Void
        /// The error of the command then; `nil` if it is carried out.
        let error: String?
    }

    private static func refusal(_ file: String) -> String {
        "\(file): error: the file was changed by somebody else after the command had read it; give the command again\n"
            + "  hint: nothing was changed\n"
    }

    static let edits = [
        Meanwhile(name: "nothing", edit: { _ in }, error: nil),
        Meanwhile(name: "another file", edit: { try $0.write("x", to: "b.yaml") }, error: nil),
        Meanwhile(
            name: "an editor", edit: { try $0.write("account: edited\n", to: "a.yaml") }, error: refusal("a.yaml")),
        Meanwhile(
            name: "another command",
            edit: { folder in
                let other = ["approov", "--account", "a.yaml", "--yes", "policy", "-set", "default,allow-root,risk"]
                let status = try ToolProcess(other, in: folder).end().status
                expect(status, equals: 0)
            }, error: refusal("a.yaml")),
        Meanwhile(
            name: "a command on the keys",
            edit: { folder in
                let other = ["approov", "--account", "a.yaml", "--yes", "keyset", "-add", "HS256"]
                let status = try ToolProcess(other, in: folder).end().status
                expect(status, equals: 0)
            }, error: refusal("k.keys")),
        Meanwhile(
            name: "removal", edit: { try FileManager.default.removeItem(atPath: $0.path("a.yaml")) },
            error: refusal("a.yaml")),
    ]

    @Test(arguments: edits) func whatChangesWhileACommandWaitsStays(_ row: Meanwhile) throws {
        let folder = try TemporaryFolder(["a.yaml": Self.account + "keys: k.keys\n", "k.keys": "key-id: me\n"])
        unsafe expect(chmod(folder.path("k.keys"), 0o600), equals: 0)
        let run = try ToolProcess(Self.waiting, in: folder)
        #expect(run.read().hasPrefix("WARNING: updating the security policy"))
        try row.edit(folder)
        let edited = (folder["a.yaml"], folder["k.keys"])
        run.type("YES")
        let end = run.end()
        expect(end.status, equals: (row.error == nil ? 0 : 2))
        expect(end.error, equals: row.error ?? "")
        expect(folder["k.keys"], equals: edited.1)
        if row.error == nil {
            expect(folder["a.yaml"]?.contains("policy: default,strict,default"), equals: true)
        } else {
            expect(folder["a.yaml"], equals: edited.0)
        }
        #expect(!ToolProcess.names(in: folder).contains { $0.hasPrefix(".") })
    }
}
