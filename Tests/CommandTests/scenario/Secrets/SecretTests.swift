import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// The content of key files, and of files that are none of ours, gets into no output, wherever they are given.
@Suite struct SecretTests {
    // Of a secret no six bytes in a row may be seen; fewer could be anywhere by chance.
    private static let shortest = 6

    private static let secrets = [
        "U0VDUkVULUFDQ09VTlQtS0VZLW9mLTY0LWJ5dGVzLWluLWJhc2U2NC1mb3ItdGVzdHMtb25seS0wMTIzNDU2Nzg5QUJDRA==",
        "RU5DUllQVElPTi1TRUNSRVQtMzItYnl0ZXMtaGVyZSE=",
        "CM_g53gaTN_Xske4ywcnqzB3m-Nd0l8NnndnCamgHsk3otJjemniSq3ktvmGFtFI",
        "hPenjs2qBZE4Ml7Vk8uPMwlXmt1RAL1z8SLGoy6W6uo",
    ]

    private static let keys = """
        # yaml-language-server: $schema=/usr/share/scenario/schemas/keys.schema.json
        # The keys of an account. Anyone who can read this file can make valid tokens.
        account-secret: \(secrets[0])
        encryption-secret: \(secrets[1])
        message-signing-key: \(secrets[2])
        key-id: mykey
        key-set:
          - alg: HS256
            k: \(secrets[3])
            kid: k1
            kty: oct
            use: sig

        """

    private static let windows = Set(
        secrets.flatMap { secret in
            let bytes = Array(secret.utf8)
            return (0...(bytes.count - shortest)).map { Array(bytes[$0..<$0 + shortest]) }
        })

    private static func leak(in text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= shortest else { return nil }
        return (0...(bytes.count - shortest)).first { windows.contains(Array(bytes[$0..<$0 + shortest])) }
            .map { String(decoding: bytes[max(0, $0 - 60)..<min(bytes.count, $0 + 30)], as: UTF8.self) }
    }

    /// Everywhere that a file can be given.
    static let commands: [Words] = [
        "policy --account @prod.yaml", "run @named.yaml", "run @inside.yaml", "run @keys.yaml",
        "lint @keys.yaml", "lint @prod.yaml", "policy --account @keys.yaml",
        "arc --encode failed rooted --account @prod.yaml",
        "arc KTF6LXEPX4 --account @keys.yaml", "generate @keys.yaml",
        "approov --account @keys.yaml policy -get",
        "approov --account @prod.yaml keyset -list",
        "approov --account @empty.yaml keyset -import @keys.yaml",
        "approov --account @empty.yaml api -setAll @keys.yaml",
        "approov --account @empty.yaml appsigncert -add @keys.yaml",
        "diff @named.yaml --changes @keys.yaml",
        "replay @day.jsonl --labels @keys.yaml", "replay @day.jsonl --fetches @keys.yaml",
        "search @day.jsonl --account=new --reject did:@keys.yaml",
        "replay @day.jsonl @keys.yaml", "replay @keys.yaml --input-format=fetches",
        "replay @keys.yaml --input-format=info", "replay @keys.yaml --input-format=jsonl",
        "merge @keys.yaml",
        "rollout @day.jsonl --account=new --steps 1%:1h --labels @keys.yaml",
        "diff @day.jsonl --account=new --policy=default,strict,risk --baseline @keys.yaml",
    ]

    private static func files(_ keys: [UInt8]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder([
            "prod.yaml": "account: prod\nkeys: keys.yaml\n", "empty.yaml": "account: prod\n",
            "named.yaml": "scenario: s\naccount: keys.yaml\n",
            "inside.yaml": "scenario: s\naccount: {account: a, keys: keys.yaml}\ndevices: {d: {os: ios}}\n",
            "day.jsonl": Sample.day,
        ])
        try folder.write(keys, to: "keys.yaml")
        return folder
    }

    // A file that an expression names is in the folder, too.
    private static func run(_ command: Words, in folder: TemporaryFolder) -> ToolRun {
        ToolRun(
            command.list.map { $0.replacing("did:@keys.yaml", with: "did:@\(folder.path("keys.yaml"))") }, in: folder)
    }

    @Test(arguments: commands) func aKeyFileIsShownNowhere(command: Words) throws {
        let run = Self.run(command, in: try Self.files(Array(Self.keys.utf8)))
        #expect(Self.leak(in: run.output + run.error) == nil)
    }

    /// Other people's files: nothing recognises them, and so nothing is quoted.
    static let others = [
        "root:$6$salt$SECRETSECRET:19000:0:99999:7:::\n", "DATABASE_URL=postgres://u:SECRETSECRET@h/d\n",
        "-----BEGIN PRIVATE KEY-----\nSECRETSECRET\n-----END PRIVATE KEY-----\n", "{\"token\": \"SECRETSECRET\"}\n",
        "[default]\naws_secret_access_key = SECRETSECRET\n", "SECRETSECRET", "\"SECRETSECRET", "? SECRETSECRET",
        "{\"keys\": [{\"kty\": \"oct\", \"k\": \"SECRETSECRET\"}]}\n", "x: &SECRETSECRET y\n", "x: *SECRETSECRET\n",
        "apiVersion: v1\nusers: [SECRETSECRET, SECRETSECRET: x]\n",
    ]

    @Test(arguments: others, commands) func anotherFileIsShownNowhere(text: String, command: Words) throws {
        let run = Self.run(command, in: try Self.files(Array(text.utf8)))
        #expect(!(run.output + run.error).contains("SECRET"), "\(run.error)")
    }

    // 10 000 with `EXHAUSTIVE=1`.
    @Test func mutatedKeyFilesAreShownNowhere() throws {
        var chance = SplitMix64(seed: 13)
        for number in 0..<Exhaustive.count(200, whole: 10_000) {
            let folder = try Self.files(Self.mutated(&chance))
            let run = Self.run(Self.commands[number % Self.commands.count], in: folder)
            #expect(Self.leak(in: run.output + run.error) == nil, "\(number)")
        }
    }

    // Whatever a tired hand or a broken editor does to a file.
    private static func mutated(_ chance: inout SplitMix64) -> [UInt8] {
        var bytes = Array(keys.utf8)
        let inserted = [
            "`", "`\u{301}", "\"", "'", "\n", "\r\n", "\r", ": ", "#", "- ", "{", "}", "[", "]", ",", "&", "*", "!",
            "? ", "|\n",
            ">\n", "\u{0}", "\u{301}", "\u{1B}", "\t", "\u{2028}", "k: ", "alg: ", "policy: ", "account: ",
            "scenario: ",
            "`k`", "%", "\\", "\u{FEFF}",
        ]
        for _ in 0...chance.below(4) {
            let position = chance.below(bytes.count)
            switch chance.below(6) {
            case 0, 1: bytes.insert(contentsOf: chance.pick(inserted).utf8, at: position)
            case 2: bytes.remove(at: position)
            case 3: bytes[position] = UInt8(chance.below(256))
            case 4: bytes.removeSubrange(position..<min(bytes.count, position + chance.below(40)))
            default:
                bytes.insert(contentsOf: Array(bytes[position..<min(bytes.count, position + chance.below(60))]), at: 0)
            }
        }
        return bytes
    }

    @Test(arguments: ["run", "lint", "generate"]) func whatIsNoFileIsNotWaitedFor(command: String) throws {
        let folder = try TemporaryFolder(["s.yaml": "scenario: s\naccount: fifo\n"])
        unsafe expect(mkfifo(folder.path("fifo"), 0o600), equals: 0)
        let run = ToolRun([command, "@s.yaml"], in: folder).ending(.invalidInput)
        #expect((run.output + run.error).contains("account file `fifo`: no regular file"))
        let account = ToolRun("policy --account @fifo", in: folder)
        expect(account.error, equals: "fifo: error: no regular file\n")
    }

    @Test("no capture is read from a pipe or a device by its name", arguments: ["@fifo", "/dev/zero"])
    func namedPipesAreNoCaptures(path: String) throws {
        let folder = try TemporaryFolder(["day.jsonl": Sample.day, "a.yaml": "account: a\n"])
        unsafe expect(mkfifo(folder.path("fifo"), 0o600), equals: 0)
        let lines = [
            ["replay", path], ["replay", "@day.jsonl", "--fetches", path], ["replay", "@day.jsonl", path],
            ["diff", path, "--account=new", "--policy", "default,default,default"],
            ["explain", path, "--device", Sample.bob],
        ]
        for line in lines {
            let run = ToolRun(line, in: folder)
            expect(run.status, equals: .invalidInput, "\(line)")
            #expect(run.output.isEmpty)
            #expect(run.error.hasSuffix(": error: no regular file\n  hint: `-` reads a pipe, as standard input\n"))
        }
    }
}

/// Files with secrets that scenarios print: nobody but the owner reads them, also where the file was there before.
@Suite struct SecretFileTests {
    private static let scenario = """
        scenario: s
        devices: {d: {os: ios}}
        steps:
          - {at: 0s, approov: secret -get base64}
          - {at: 1s, fetch: d, expect: {verdict: pass}}

        """

    struct Row: LabelledRow {
        let name: String
        let arguments: Words
        let mode: mode_t
        let hasSecret: Bool
    }

    static let rows = [
        Row(name: "what commands print", arguments: "--printed=@out", mode: 0o600, hasSecret: true),
        Row(name: "all steps as text", arguments: "--verbose --output=@out", mode: 0o600, hasSecret: true),
        Row(
            name: "all steps as a page", arguments: "--verbose --format=html --output=@out", mode: 0o600,
            hasSecret: true),
        // JSON has no steps, and others do not read the file all the same.
        Row(
            name: "all steps as JSON", arguments: "--verbose --format=json --output=@out", mode: 0o600,
            hasSecret: false),
        // Nothing of the secret is in it.
        Row(name: "a report", arguments: "--format=html --output=@out", mode: 0o644, hasSecret: false),
    ]

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    // The secret that the command prints.
    private static func secret() throws -> String {
        let folder = try TemporaryFolder(["s.yaml": scenario])
        _ = ToolRun("run @s.yaml --no-progress --printed=@out", in: folder)
        let printed = try #require(folder["out"])
        // A note on its form goes before it, as in the manual.
        let line = try #require(printed.split(separator: "\n").last)
        // 64 bytes as base64.
        try #require(line.utf8.count == 88)
        return String(line)
    }

    @Test(arguments: rows, [false, true]) func othersReadNoSecret(_ row: Row, isThere: Bool) throws {
        let folder = try TemporaryFolder(["s.yaml": Self.scenario])
        if isThere {
            try folder.write("", to: "out")
            unsafe expect(chmod(folder.path("out"), 0o644), equals: 0)
        }
        ToolRun(["run", "@s.yaml", "--no-progress"] + row.arguments.list, in: folder).ending(.success)
        expect(Self.mode(of: folder.path("out")), equals: row.mode)
        let hasSecret = folder["out"]?.contains(try Self.secret())
        expect(hasSecret, equals: row.hasSecret)
    }
}
