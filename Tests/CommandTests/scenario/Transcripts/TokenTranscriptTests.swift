import Foundation
import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// Secrets and keys that are drawn, and the files that they are in; `Tests/Transcripts/tokens` shows all the rest.
@Suite struct TokenTranscriptTests {
    private final class Shell {
        let folder: TemporaryFolder

        init(
            _ account: String = "account: test-account\napis: [{domain: my.api.io}]\n", _ files: [String: String] = [:]
        )
            throws
        {
            folder = try TemporaryFolder(files.merging(["account.yaml": account]) { $1 })
        }

        /// Carries a command out, confirmed; files are in the folder as `@name`.
        func run(_ line: String) throws -> ToolRun {
            let words = try CommandWords.split(line)
            return ToolRun(
                ["approov", "--account", "@account.yaml", "--at", "2019-05-23T17:16:28Z"] + words, in: folder,
                input: ["YES"])
        }

        /// The last line of what a command prints.
        func line(_ line: String) throws -> String {
            let run = try run(line).ending(.success)
            return run.output.split(separator: "\n").last.map(String.init) ?? ""
        }

        func mode(of name: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            return try #require(attributes[.posixPermissions] as? Int)
        }
    }

    // Manual, Changing the Account Secret Key; Raw Account Secret Key; Account Secret Key Export.
    @Test func newSecretsAreTheOnesThatAreShown() throws {
        let shell = try Shell()
        let before = try shell.line("secret -get base64")
        let change = try shell.line("secret -change")
        let secret = String(change.split(separator: " ").last ?? "")
        #expect(Base64.bytes(of: secret)?.count == 64 && secret != before)
        try expect(shell.line("secret -get base64"), equals: secret)
        try expect(shell.line("secret -get base64url -plain").count, equals: 86)
        expect(shell.folder["account.keys"]?.contains(secret.prefix(40)), equals: true)
        _ = try shell.run("secret -setKeyID mykeyid")
        try expect(shell.line("secret -get base64 -plain"), equals: secret)
        _ = try shell.run("secret -change -forcePrintable")
        let raw = try shell.line("secret -get raw")
        expect(raw.utf8.count, equals: 64)
        try expect(shell.line("secret -get base64"), equals: Base64.text(of: Array(raw.utf8)))
    }

    // Manual, Message Signing.
    @Test func newMessageSigningKeysAreTheOnesThatAreShown() throws {
        let shell = try Shell()
        let lines = try shell.run("secret -messageSigningKey change").output.split(separator: "\n").map(String.init)
        let raw = try shell.run("secret -messageSigningKey get-raw").output.split(separator: "\n").map(String.init)
        #expect(raw[1] == "encoding: raw" && raw[2].utf8.count == 64)
        expect(raw[0], equals: "key ID: \(raw[2].prefix(6))")
        expect(lines[1...], equals: [raw[0], "encoding: base64", Base64.text(of: Array(raw[2].utf8))])
    }

    @Test func filesOfKeysAreForTheirOwnerAlone() throws {
        let shell = try Shell()
        _ = try shell.run("secret -change")
        try expect(shell.mode(of: "account.keys"), equals: 0o600)
        _ = try shell.run("secret -getJWK \(shell.folder.path("secret.jwk"))")
        try expect(shell.mode(of: "secret.jwk"), equals: 0o600)
        expect(shell.folder.names, equals: ["account.keys", "account.yaml", "secret.jwk"])
    }

    @Test func keysThatOthersCanReadAreWarnedAbout() throws {
        let shell = try Shell("keys: prod.keys\n", ["prod.keys": "key-id: a\n"])
        let path = shell.folder.path("prod.keys")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let run = ToolRun("lint @account.yaml", in: shell.folder)
        #expect(run.output.contains("the keys can be read by others than their owner; the mode of the file is 0644"))
        let change = try shell.run("secret -setKeyID b")
        #expect(change.error.hasPrefix("prod.keys: warning: the keys can be read by others than their owner"))
        try expect(shell.mode(of: "prod.keys"), equals: 0o600)
        try expect(shell.run("secret -getKeyID").error, equals: "")
    }

    // Manual, Managing Key Sets; Keyset Key API Addition.
    @Test func whatIsWrittenOfDrawnKeysVerifiesTokens() throws {
        let shell = try Shell()
        for line in ["keyset -kid mykey -add RS256 -keyLength 1024", "keyset -add ES384", "keyset -add HS256"] {
            try expect(shell.line(line), equals: "successfully added key")
        }
        try shell.run("api -add mydomain.com -keySetKID mykey -pinType none").ending(.success)
        let token = try shell.line("token -genExample mydomain.com")
        #expect(try shell.run("token -check \(token)").output.hasPrefix("passed: alg:RS256 kid:mykey {"))
        _ = try shell.run("keyset -kid mykey -getPEM \(shell.folder.path("mykey.pem"))")
        let pem = try #require(shell.folder["mykey.pem"])
        // As in the manual: a key of 1024 bits.
        #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----\nMIGfMA0GCSqGSIb3DQEBAQU"))
        #expect(throws: Never.self) {
            try TokenVerifier(key: TokenKey(pem: pem, algorithm: .rs256)).payload(of: token)
        }
        _ = try shell.run("keyset -getJWKS \(shell.folder.path("keys.jwks"))")
        let keys = try TokenKey.keys(jwks: try #require(shell.folder["keys.jwks"]))
        expect(keys.map(\.isPrivate), equals: [false, false, true])
        #expect(throws: Never.self) { try TokenVerifier(keys: keys).payload(of: token) }
    }

    // Manual, Account Secret Key JWK Export.
    @Test func writtenWebKeysAreRead() throws {
        let shell = try Shell()
        _ = try shell.run("secret -setKeyID mykeyid")
        _ = try shell.run("secret -getJWKS \(shell.folder.path("secret.jwks"))")
        let set = try TokenKey.keys(jwks: try #require(shell.folder["secret.jwks"]))
        expect(set.map(\.description), equals: ["HS256 key mykeyid"])
        _ = try shell.run("secret -jwe -getJWK \(shell.folder.path("jwe.jwk"))")
        try expect(TokenKey(jwk: try #require(shell.folder["jwe.jwk"])).algorithm, equals: .a256gcmkw)
    }
}
