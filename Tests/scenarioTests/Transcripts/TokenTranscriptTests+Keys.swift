import Foundation
import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

// Secrets, key sets and key files.
extension TokenTranscriptTests {
    // Manual, Changing the Account Secret Key; Raw Account Secret Key; Account Secret Key Export.
    @Test func secretsAreChangedAndShown() throws {
        let shell = try Shell()
        let before = try shell.run("secret -get base64")
        #expect(
            before.error.contains("warning: the account secret is derived from the account's name, so it is not secret")
        )
        let change = try shell.run("secret -change")
        let start =
            "WARNING: updating the account secret key will have an immediate impact on your apps in production. "
            + Self.confirmed + "new base64 encoded account secret key is "
        #expect(change.output.hasPrefix(start))
        let secret = String(change.output.dropFirst(start.count).dropLast())
        #expect(Base64.bytes(of: secret)?.count == 64)
        let after = try shell.run("secret -get base64")
        let note = "note: secret is base64 encoded and must be decoded to its binary form to verify Approov tokens\n"
        #expect((after.output, after.error) == ("\(note)\(secret)\n", ""))
        #expect(try shell.run("secret -get base64 -plain").output == secret + "\n")
        #expect(try shell.run("secret -get base64url -plain").output.count == 87)
        #expect(try shell.run("secret -get raw").error.contains("`secret -change -forcePrintable` makes one that is"))
        _ = try shell.run("secret -change -forcePrintable")
        let raw = try shell.line("secret -get raw")
        #expect(raw.utf8.count == 64)
        #expect(try shell.line("secret -get base64") == Base64.text(of: Array(raw.utf8)))
        for line in ["secret -get base64", "secret -change", "secret -messageSigningKey change", "secret -getJWK @x"] {
            let words = ["approov", "--account", "@account.yaml", "--role", "dev"] + (try CommandWords.split(line))
            let run = ToolRun(words, in: shell.folder, input: ["YES"])
            #expect(run.status == .invalidInput && run.output == "")
            #expect(run.error == "account.yaml: error: an admin role is required\n  hint: give `--role admin`\n")
        }
    }

    @Test func keysGoIntoAFileOfTheirOwn() throws {
        let shell = try Shell()
        _ = try shell.run("secret -change")
        #expect(shell.folder["account.yaml"] == Self.account + "keys: account.keys\n")
        #expect(try shell.mode(of: "account.keys") == 0o600)
        #expect(shell.folder.names == ["account.keys", "account.yaml"])
        let secret = try shell.line("secret -get base64 -plain")
        #expect(shell.folder["account.keys"]?.contains("account-secret: ") == true)
        #expect(shell.folder["account.keys"]?.contains(secret.prefix(40)) == true)
        _ = try shell.run("secret -setKeyID mykeyid")
        #expect(try shell.line("secret -getKeyID") == "mykeyid")
        #expect(try shell.line("secret -get base64 -plain") == secret)
        _ = try shell.run("secret -clearKeyID")
        #expect(try shell.line("secret -getKeyID") == "key ID has not been set")
        #expect(shell.folder["account.yaml"] == Self.account + "keys: account.keys\n")
    }

    // A file of somebody else is not overwritten.
    @Test func aNewKeyFileHasANewName() throws {
        let shell = try Shell(Self.account, ["account.keys": "theirs\n"])
        _ = try shell.run("secret -setKeyID a")
        #expect(shell.folder["account.keys"] == "theirs\n")
        #expect(shell.folder["account.yaml"]?.hasSuffix("keys: account-2.keys\n") == true)
        #expect(shell.folder["account-2.keys"]?.contains("key-id: a\n") == true)
    }

    @Test func keysThatOthersCanReadAreWarnedAbout() throws {
        let shell = try Shell("keys: prod.keys\n", ["prod.keys": "key-id: a\n"])
        let path = "\(shell.folder.path)/prod.keys"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let run = ToolRun("lint @account.yaml", in: shell.folder)
        #expect(run.output.contains("the keys can be read by others than their owner; the mode of the file is 0644"))
        let change = try shell.run("secret -setKeyID b")
        #expect(change.error.hasPrefix("prod.keys: warning: the keys can be read by others than their owner"))
        #expect(try shell.mode(of: "prod.keys") == 0o600)
        #expect(try shell.run("secret -getKeyID").error == "")
    }

    // Manual, Key IDs.
    @Test func keyIDsAreShown() throws {
        let shell = try Shell(options: Self.at)
        _ = try shell.run("secret -setKeyID mykeyid")
        let token = try shell.line("token -genExample my.api.io")
        #expect(shell.run(["token", "-check", token]).output.hasPrefix("passed: alg:HS256 kid:mykeyid {"))
        for domain in ["shapes.approov.io", "jwe.com"] {
            let other = try shell.line("token -genExample \(domain)")
            #expect(!shell.run(["token", "-check", other]).output.contains("kid:"))
        }
    }

    // Manual, Account Secret Key JWK Export.
    @Test func webKeysAreWritten() throws {
        let shell = try Shell()
        _ = try shell.run("secret -change")
        let secret = try shell.line("secret -get base64url -plain")
        let run = shell.run(["secret", "-getJWK", "@secret.jwk"])
        #expect(run.output == "JWK written to file secret.jwk\n")
        #expect(try shell.mode(of: "secret.jwk") == 0o600)
        #expect(
            shell.folder["secret.jwk"] == """
                {
                    "kty": "oct",
                    "use": "sig",
                    "k": "\(secret)",
                    "alg": "HS256"
                }

                """)
        _ = try shell.run("secret -setKeyID mykeyid")
        _ = shell.run(["secret", "-getJWKS", "@secret.jwks"])
        let set = try TokenKey.keys(jwks: try #require(shell.folder["secret.jwks"]))
        #expect(set.map(\.description) == ["HS256 key mykeyid"])
        _ = shell.run(["secret", "-jwe", "-getJWK", "@jwe.jwk"])
        #expect(try TokenKey(jwk: try #require(shell.folder["jwe.jwk"])).algorithm == .a256gcmkw)
        for file in ["@account.yaml", "@account.keys"] {
            let refused = shell.run(["secret", "-getJWK", file])
            #expect(refused.status == .invalidInput && refused.error.contains("this is a file of the account"))
        }
    }

    // Manual, Managing Key Sets; Keyset Key API Addition.
    @Test func keySetsAreManaged() throws {
        let shell = try Shell(options: Self.at)
        for line in [
            "keyset -kid mykey -add RS256 -keyLength 1024", "keyset -add ES384", "keyset -add HS256 -keyLength 512",
        ] {
            #expect(try shell.line(line) == "successfully added key")
        }
        #expect(try shell.run("keyset -add PS512 -keyLength 1024").error.contains("cannot have 1024 bits"))
        let added = try shell.run("api -add mydomain.com -keySetKID mykey -pinType none")
        #expect(
            added.output.hasSuffix(
                "added new API domain mydomain.com with type:keyset, alg:RS256, kid:mykey, unpinned\n"))
        #expect(
            try shell.run("keyset -list").output == """
                3 keys:
                 mykey  alg:RS256  apis:mydomain.com
                 1      alg:ES384
                 2      alg:HS256

                """)
        let token = try shell.line("token -genExample mydomain.com")
        #expect(shell.run(["token", "-check", token]).output.hasPrefix("passed: alg:RS256 kid:mykey {"))
        let used = try shell.run("keyset -kid mykey -remove")
        #expect(used.error.contains("key `mykey` is in use by `mydomain.com`"))
        #expect(try shell.run("api -add x.com -keySetKID mykye").error.contains("did you mean `mykey`?"))
        #expect(shell.run(["keyset", "-kid", "mykey", "-getPEM", "@mykey.pem"]).output == "")
        let pem = try #require(shell.folder["mykey.pem"])
        // As in the manual: a key of 1024 bits.
        #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----\nMIGfMA0GCSqGSIb3DQEBAQU"))
        #expect(throws: Never.self) {
            try TokenVerifier(key: TokenKey(pem: pem, algorithm: .rs256)).payload(of: token)
        }
        #expect(shell.run(["keyset", "-kid", "2", "-getPEM", "@x.pem"]).error.contains("shared secret"))
        _ = shell.run(["keyset", "-getJWKS", "@keys.jwks"])
        let text = try #require(shell.folder["keys.jwks"])
        #expect(
            text.hasPrefix(
                "{\n  \"keys\": [\n    {\n      \"alg\": \"RS256\",\n      \"e\": \"AQAB\",\n      \"kid\": \"mykey\",")
        )
        let keys = try TokenKey.keys(jwks: text)
        #expect(keys.map(\.isPrivate) == [false, false, true])
        #expect(throws: Never.self) { try TokenVerifier(keys: keys).payload(of: token) }
        _ = try shell.run("api -remove mydomain.com")
        #expect(try shell.line("keyset -kid mykey -remove") == "key mykey removed")
        #expect(try shell.line("keyset -add ES256") == "successfully added key")
        #expect(try shell.run("keyset -list").output == "3 keys:\n 1  alg:ES384\n 2  alg:HS256\n 3  alg:ES256\n")
    }

    // Manual, Importing Keys.
    @Test func keysAreImported() throws {
        let files = [
            "byok.jwk": SampleKeys.rsa, "same.jwk": SampleKeys.rsa,
            "nokid.jwk": SampleKeys.rsa.replacing(#""kid":"mykey","#, with: ""),
            "nouse.jwk": SampleKeys.rsa.replacing(#""use":"sig","#, with: ""), "none.jwk": "{",
            "public.jwk": SampleKeys.rsa.replacing(/,"d":.*/, with: "}").replacing("mykey", with: "p"),
        ]
        let shell = try Shell(Self.account, files)
        #expect(shell.run(["keyset", "-import", "@byok.jwk"]).output == "private key imported\n")
        #expect(try shell.run("keyset -list").output == "1 key:\n mykey  alg:RS256\n")
        #expect(shell.folder["account.keys"]?.contains(#"kid: mykey"#) == true)
        for (file, reason) in [
            ("same", "key `mykey` exists already"), ("nokid", "`kid` is missing"), ("nouse", "`use` is missing"),
            ("none", "it is not JSON"), ("public", "it is a public key, which cannot sign"),
            ("missing", "no such file"),
        ] {
            let run = shell.run(["keyset", "-import", "@\(file).jwk"])
            #expect(run.status == .invalidInput && run.error.contains(reason), "\(run.error)")
            #expect(!run.error.contains("AQAB") && !run.error.contains("n4EPtAO"))
        }
    }

    private static let pem = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
        focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END EC PRIVATE KEY-----

        """

    // Beside the manual: sets, and PEM, which does not say what it is called and for.
    @Test func setsAndPEMAreImported() throws {
        let set = "{\"keys\":[\(SampleKeys.rsa),\(SampleKeys.rsa.replacing("mykey", with: "other"))]}"
        let shell = try Shell(Self.account, ["keys.jwks": set, "ec.pem": Self.pem, "empty.jwks": #"{"keys":[]}"#])
        #expect(shell.run(["keyset", "-import", "@keys.jwks"]).output == "2 private keys imported\n")
        #expect(
            shell.run(["keyset", "-import", "@ec.pem", "-kid", "ec", "-alg", "ES256"]).output
                == "private key imported\n")
        #expect(
            try shell.run("keyset -list").output == "3 keys:\n mykey  alg:RS256\n other  alg:RS256\n ec     alg:ES256\n"
        )
        for (words, reason) in [
            (["@ec.pem"], "a key in PEM needs `-kid` and `-alg`"), (["@ec.pem", "-kid", "a"], "a key in PEM needs"),
            (["@keys.jwks", "-kid", "a"], "`-kid` and `-alg` can be used with a key in PEM only"),
            (["@ec.pem", "-kid", "a", "-alg", "ES384"], "it is not a key for `ES384`"),
            (["@ec.pem", "-kid", "a", "-alg", "HS256"], "it is not a key for `HS256`"),
            (["@keys.jwks"], "key `mykey` exists already"), (["@empty.jwks"], "cannot be imported"),
        ] {
            let run = shell.run(["keyset", "-import"] + words)
            #expect(run.status == .invalidInput && run.error.contains(reason), "\(run.error)")
        }
    }

    // Manual, Message Signing.
    @Test func messageSigningKeysAreManaged() throws {
        let shell = try Shell(options: Self.at)
        #expect(try shell.run("secret -messageSigningKey get-raw").error.contains("there is no message signing key"))
        let lines = try shell.run("secret -messageSigningKey change").output.split(separator: "\n").map(String.init)
        let raw = try shell.run("secret -messageSigningKey get-raw").output.split(separator: "\n").map(String.init)
        #expect(raw[1] == "encoding: raw" && raw[2].utf8.count == 64)
        #expect(raw[0] == "key ID: \(raw[2].prefix(6))")
        #expect(lines[1...] == [raw[0], "encoding: base64", Base64.text(of: Array(raw[2].utf8))])
        let token = try shell.line("token -genExample my.api.io")
        #expect(shell.run(["token", "-check", token]).output.contains(#""mskid":"\#(raw[2].prefix(6))""#))
        #expect(try shell.line("secret -messageSigningKey clear") == "message signing key cleared")
        let without = try shell.line("token -genExample my.api.io")
        #expect(!shell.run(["token", "-check", without]).output.contains("mskid"))
    }

    // A line of a key file is never shown.
    @Test func mistakesInKeysAreToldByTheirPlace() throws {
        let secret = "c2VjcmV0c2VjcmV0"
        for (text, error) in [
            ("account-secret: \(secret)\n", "prod.keys:1:17: error: `account-secret` must be 64 bytes in base64"),
            ("encryption-secret: \(secret)\n", "prod.keys:1:20: error: `encryption-secret` must be 32 bytes in base64"),
            ("message-signing-key: \(secret)\n", "prod.keys:1:22: error: `message-signing-key` must have 64 letters"),
            ("acount-secret: \(secret)\n", "prod.keys:1:1: error: unknown key `…` in a key file"),
            ("key-id: a b\n", "prod.keys:1:9: error: a key ID has"),
            ("key-set: {}\n", "prod.keys:1:10: error: `key-set` must be"),
            (
                "key-set: [{kty: oct, k: \(secret), alg: HS256}]\n",
                "prod.keys:1:11: error: a key of the key set cannot be used"
            ),
            ("key-set: [\(secret)]\n", "prod.keys:1:11: error: a key of `key-set` must be a JSON Web Key"),
            ("account-secret: [\(secret)\n", "prod.keys:"),
            ("next-key: 0\n", "prod.keys:1:11: error: `next-key`…"),
        ] {
            let run = try Shell("keys: prod.keys\n", ["prod.keys": text]).run("secret -getKeyID")
            #expect(run.status == .invalidInput && run.error.contains(error), "\(run.error)")
            #expect(!run.error.contains(secret), "\(run.error)")
        }
        let same = try Shell("keys: account.yaml\n").run("secret -getKeyID")
        #expect(same.error.contains("account.yaml:1:7: error: the key file is the account itself"))
    }
}
