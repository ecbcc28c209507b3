import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Key files that make no sense, and the parts of them that are shown.
@Suite struct KeyFileTests {
    // Each with a text that might be a secret.
    static let texts = [
        "account-secret: *SECRETvalue0123456789\n", "SECRETvalue0123456789: x\n", "account-secret: SECRETvalue\n",
        "next-key: SECRETvalue\n", "key-set: [{kid: a, alg: SECRETvalue, kty: oct, k: AA}]\n",
        "key-set: [{kid: a, SECRETvalue: 1, SECRETvalue: 2}]\n", "key-id: \"SECRETvalue \\u00E9\"\n",
        "account-secret: !SECRETvalue x\n", "account-secret: &SECRETvalue x\n", "SECRETvalue\n", "- SECRETvalue\n",
        "account-secret: \"SECRETvalue\n", "message-signing-key: \"SECRETvalue `` `\"\n", "? [SECRETvalue]\n: x\n",
    ]

    @Test("nothing of a key file is shown", arguments: texts) func nothingIsShown(text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text.utf8, to: "a.keys")
        #expect(unsafe chmod(path, 0o600) == 0)
        let account = try folder.write("account: a\nkeys: a.keys\n".utf8, to: "a.yaml")
        var diagnostics = Diagnostics()
        _ = AccountLoader.load(path: account, diagnostics: &diagnostics)
        #expect(diagnostics.hasErrors)
        #expect(!diagnostics.all.contains { $0.rendered.contains("SECRET") })
        #expect(diagnostics.all.allSatisfy { $0.file == path && $0.position != nil })
    }

    @Test func whatIsNoFileIsNotWaitedFor() throws {
        let folder = try TemporaryFolder()
        #expect(unsafe mkfifo(folder.path("fifo"), 0o600) == 0)
        let account = try folder.write("account: a\nkeys: fifo\n".utf8, to: "a.yaml")
        var diagnostics = Diagnostics()
        _ = AccountLoader.load(path: account, diagnostics: &diagnostics)
        #expect(diagnostics.all.map(\.message) == ["key file `\(folder.path("fifo"))` is no regular file"])
    }
}
