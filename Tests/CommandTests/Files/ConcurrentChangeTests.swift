import Foundation
import Testing

@testable import TestSupport
@testable import scenario

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
        for command in commands { #expect(folder[command.file]?.contains(command.text) == true, "\(command.words)") }
        #expect(ToolProcess.names(in: folder) == ["a.keys", "a.yaml"])
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
                #expect(status == 0)
            }, error: refusal("a.yaml")),
        Meanwhile(
            name: "a command on the keys",
            edit: { folder in
                let other = ["approov", "--account", "a.yaml", "--yes", "keyset", "-add", "HS256"]
                let status = try ToolProcess(other, in: folder).end().status
                #expect(status == 0)
            }, error: refusal("k.keys")),
        Meanwhile(
            name: "removal", edit: { try FileManager.default.removeItem(atPath: $0.path("a.yaml")) },
            error: refusal("a.yaml")),
    ]

    @Test(arguments: edits) func whatChangesWhileACommandWaitsStays(_ row: Meanwhile) throws {
        let folder = try TemporaryFolder(["a.yaml": Self.account + "keys: k.keys\n", "k.keys": "key-id: me\n"])
        #expect(unsafe chmod(folder.path("k.keys"), 0o600) == 0)
        let run = try ToolProcess(Self.waiting, in: folder)
        #expect(run.read().hasPrefix("WARNING: updating the security policy"))
        try row.edit(folder)
        let edited = (folder["a.yaml"], folder["k.keys"])
        run.type("YES")
        let end = run.end()
        #expect(end.status == (row.error == nil ? 0 : 2))
        #expect(end.error == row.error ?? "")
        #expect(folder["k.keys"] == edited.1)
        if row.error == nil {
            #expect(folder["a.yaml"]?.contains("policy: default,strict,default") == true)
        } else {
            #expect(folder["a.yaml"] == edited.0)
        }
        #expect(!ToolProcess.names(in: folder).contains { $0.hasPrefix(".") })
    }
}
