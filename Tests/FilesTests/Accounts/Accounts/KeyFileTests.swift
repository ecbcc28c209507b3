import Foundation
import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

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
        unsafe expect(chmod(path, 0o600), equals: 0)
        let account = try folder.write("account: a\nkeys: a.keys\n".utf8, to: "a.yaml")
        var diagnostics = Diagnostics()
        _ = AccountLoader.load(path: account, diagnostics: &diagnostics)
        #expect(diagnostics.hasErrors)
        #expect(!diagnostics.all.contains { $0.rendered.contains("SECRET") })
        #expect(diagnostics.all.allSatisfy { $0.file == path && $0.position != nil })
    }

    @Test func whatIsNoFileIsNotWaitedFor() throws {
        let folder = try TemporaryFolder()
        unsafe expect(mkfifo(folder.path("fifo"), 0o600), equals: 0)
        let account = try folder.write("account: a\nkeys: fifo\n".utf8, to: "a.yaml")
        var diagnostics = Diagnostics()
        _ = AccountLoader.load(path: account, diagnostics: &diagnostics)
        expect(diagnostics.all.map(\.message), equals: ["key file `\(folder.path("fifo"))` is not a regular file"])
    }
}

/// The contents of key files, their names, and the export of keys (docs/FORMATS.md, Key file).
@Suite struct KeyFileContentTests {
    private static let secret64 =
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw=="
    private static let secret32 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private static let url32 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
    private static let signing = String(repeating: "aB3-", count: 16)

    private static let whole = """
        # yaml-language-server: $schema=/usr/share/scenario/schemas/keys.schema.json
        # The keys of an account. Anyone who can read this file can make valid tokens.
        account-secret: \(secret64)
        encryption-secret: \(secret32)
        arc-secret: AAECAwQFBgcICQoLDA0ODw==
        message-signing-key: \(signing)
        key-id: mine
        next-key: 7
        key-set:
          - alg: HS256
            k: \(url32)
            kid: a
            kty: oct
            use: sig

        """

    // An account with a key file of its own, which others may read by default.
    private static func load(
        _ keys: String, mode: mode_t = 0o600, saying text: String = "account: a\nkeys: a.keys\n"
    ) throws -> (account: Account?, messages: [String]) {
        let folder = try TemporaryFolder(["a.yaml": text, "a.keys": keys])
        unsafe expect(chmod(folder.path("a.keys"), mode), equals: 0)
        var diagnostics = Diagnostics()
        let account = AccountLoader.load(path: folder.path("a.yaml"), diagnostics: &diagnostics)
        return (account, diagnostics.all.map { folder.relative($0.message) })
    }

    @Test("a whole file is read, and written as it was") func whole() throws {
        let (account, messages) = try Self.load(Self.whole)
        expect(messages, equals: [])
        let read = try #require(account)
        expect(read.keyFile, equals: "a.keys")
        expect(read.keys.accountSecret?.bytes, equals: Array(0..<64))
        expect(read.keys.encryptionSecret?.bytes, equals: Array(0..<32))
        expect(read.responseCodeSecret, equals: Array(0..<16))
        expect(read.keys.messageSigningKey?.id, equals: "aB3-aB")
        #expect(read.keys.keyID == "mine" && read.keys.keySet.ids == ["a"] && read.keys.keySet.nextNumber == 7)
        expect(KeyFile.text(of: read), equals: Self.whole)
    }

    @Test("what is missing is left out, and an empty key set is not") func parts() throws {
        let head = Self.whole.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n"
        expect(KeyFile.text(of: Account()), equals: head)
        var account = Account()
        account.keys.keySet.list()
        expect(KeyFile.text(of: account), equals: head + "key-set: []\n")
        account.keys.keySet.number(from: 2)
        expect(KeyFile.text(of: account), equals: head + "next-key: 2\nkey-set: []\n")
    }

    @Test(
        "a file that others can read is warned about, with its mode",
        arguments: [
            (mode_t(0o600), nil as String?), (0o400, nil), (0o700, nil), (0o640, "0640"), (0o604, "0604"),
            (0o610, "0610"),
            (0o666, "0666"),
        ])
    func modes(mode: mode_t, shown: String?) throws {
        let (account, messages) = try Self.load(Self.whole, mode: mode)
        #expect(account != nil)
        let words = "the keys can be read by others than their owner; the mode of the file is "
        expect(messages, equals: (shown.map { [words + $0] } ?? []))
    }

    @Test("a key file has 262 144 bytes at most") func size() throws {
        let filled = { (count: Int) in "#" + String(repeating: "x", count: count - 2) + "\n" }
        try expect(Self.load(filled(262_144)).messages, equals: [])
        let (account, messages) = try Self.load(filled(262_145))
        #expect(account == nil && messages == ["key file `a.keys` has 262145 bytes; at most 262144 are read"])
    }

    @Test("a new key file is called as the account is, with a number where there is one") func newNames() throws {
        let folder = try TemporaryFolder(["a.keys": "", "a-2.keys": "", "b.keys": "", "c.yaml.keys": ""])
        let name = { KeyFile.newName(besides: folder.path($0)) }
        #expect(name("a.yaml") == "a-3.keys" && name("b.yml") == "b-2.keys" && name("c.yaml") == "c.keys")
        #expect(name("d.txt") == "d.txt.keys" && name("e") == "e.keys")
        expect(KeyFile.path("x.keys", besides: "folder/a.yaml"), equals: "folder/x.keys")
        expect(KeyFile.path("/x.keys", besides: "folder/a.yaml"), equals: "/x.keys")
        expect(KeyFile.path("x.keys", besides: "a.yaml"), equals: "x.keys")
    }

    @Test("the files that accounts and scenarios name") func namedFiles() throws {
        let folder = try TemporaryFolder([
            "a.yaml": "account: a\nkeys: a.keys\n", "plain.yaml": "account: b\n", "list.yaml": "- x\n",
            "one.yaml": "account: a.yaml\n",
            "many.yaml": "accounts:\n  x: a.yaml\n  y: {keys: y.keys}\n  z: plain.yaml\n",
            "odd.yaml": "accounts: [a.yaml]\naccount: {keys: [k]}\n",
        ])
        let names = { (found: [String]) in found.map(folder.relative) }
        expect(names(NamedFiles.ofAccount(at: folder.path("a.yaml"))), equals: ["a.keys"])
        expect(NamedFiles.ofAccount(at: folder.path("plain.yaml")), equals: [])
        expect(NamedFiles.ofAccount(at: folder.path("list.yaml")), equals: [])
        expect(NamedFiles.ofAccount(at: folder.path("missing.yaml")), equals: [])
        expect(names(NamedFiles.ofScenario(at: folder.path("one.yaml"))), equals: ["a.yaml", "a.keys"])
        let many = names(NamedFiles.ofScenario(at: folder.path("many.yaml")))
        expect(many, equals: ["a.yaml", "a.keys", "y.keys", "plain.yaml"])
        expect(NamedFiles.ofScenario(at: folder.path("odd.yaml")), equals: [])
        expect(NamedFiles.ofScenario(at: folder.path("missing.yaml")), equals: [])
    }

    @Test("a key set as a file has the public halves of pairs (manual, Getting Keyset JWKS)") func keySets() throws {
        let shared = try TokenKey(secret: Secret(Array(0..<32)), algorithm: .hs256, id: "mine")
        let pair = try TokenKey.new(.es256, id: "theirs")
        let text = KeyJSON.keySet([shared, pair])
        #expect(text.contains("\"kid\": \"theirs\"") && text.contains("\"y\": ") && !text.contains("\"d\": "))
        // A shared key has no other half.
        #expect(text.contains("\"kid\": \"mine\"") && text.contains("\"k\": \"\(Self.url32)\""))
    }

    @Test("R23.4 everybody may know of a key set what makes no token") func publicKeys() throws {
        var set = KeySet()
        try set.append(TokenKey(secret: Secret(Array(0..<32)), algorithm: .hs256, id: "mine"))
        try set.append(TokenKey.new(.es256, id: "theirs"))
        let text = KeyJSON.publicKeys(of: set)
        #expect(text.contains("\"kid\": \"theirs\"") && !text.contains("\"d\": "))
        #expect(!text.contains("mine") && !text.contains(Self.url32))
    }

    @Test("R2.2 an account that is read besides another has its flags where that has them") func aligned() throws {
        let other = try AccountText.account("flags: [{name: theirs}, {name: both, risk: true}]\n")
        var diagnostics = Diagnostics()
        let text = "flags: [{name: mine}, {name: both}]\npolicy: default,default,mine\n"
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: text))
        let account = AccountLoader.load(document, besides: other, diagnostics: &diagnostics)
        #expect(diagnostics.all.isEmpty)
        let names = try #require(account).catalogue.flags.suffix(3).map(\.name)
        expect(names, equals: ["theirs", "both", "mine"])
        // A flag that only the other one declares cannot be named.
        var errors = Diagnostics()
        let wrong = YAMLParser.parse(SourceFile(path: "file.yaml", text: "policy: default,default,theirs\n"))
        #expect(AccountLoader.load(wrong, besides: other, diagnostics: &errors) == nil && errors.hasErrors)
    }
}
