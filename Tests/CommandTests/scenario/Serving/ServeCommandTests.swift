import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `scenario serve` as a command, and as a process that others ask.
@Suite struct ServeCommandTests {
    private static let files = [
        "account.yaml": "account: a\n",
        "keyed.yaml": "account: a\nkeys: a.keys\n", "a.keys": "api-key: a-key-of-a-test-of-ours\n",
    ]

    @Test("without an account a new one is served, and says so; a log has a line for each request") func newAccount()
        throws
    {
        let folder = try TemporaryFolder()
        let process = try ToolProcess(["serve", "--log", "requests"], in: folder)
        let url = try #require(process.read().split(separator: " ").last).trimmingCharacters(in: .newlines)
        let curl = Process()
        curl.executableURL = URL(filePath: "/bin/sh")
        curl.arguments = [
            "-c",
            """
            curl --silent --data '{"device-id":"\(Sample.bob)","public-flags":""}' '\(url)/attest?data=secret' > '\(folder.path("token"))'
            curl --silent --header 'Authorization: Bearer secret' '\(url)/nothing?key=secret' > /dev/null
            curl --silent --head '\(url)/' > /dev/null
            """,
        ]
        try curl.run()
        curl.waitUntilExit()
        process.send(SIGTERM)
        let end = process.end()
        expect(end.status, equals: 0)
        expect(
            end.error,
            equals: """
                scenario: warning: there is no `--account`: this is the service of a new account `test` in memory, with the API \
                domain `api.example.com` and with keys that everybody can derive

                """)
        expect(folder["token"]?.contains(#""verdict":"pass""#), equals: true)
        let log = try #require(folder["requests"])
        let lines = log.split(separator: "\n").map { $0.replacing(/"time":"[^"]*"/, with: "") }
        expect(
            lines,
            equals: [
                #"{,"method":"POST","path":"/attest","status":200}"#,
                #"{,"method":"GET","path":"/nothing","status":404}"#,
                #"{,"method":"HEAD","path":"/","status":200}"#,
            ])
        #expect(!log.contains("secret"))
    }

    // curl, eight clients at once, and kills; `make serve` does more of it.
    @Test("R23.4 R23.5 others are answered") func othersAreAnswered() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let program = Tooling.path(of: "serve.py")
        process.arguments = ["-B", program, ToolProcess.path, "quick"]
        try process.run()
        process.waitUntilExit()
        expect(process.terminationStatus, equals: 0)
    }

    @Test("R23 the public is warned of and keys stay secret") func thePublicIsWarnedOfAndKeysStaySecret() throws {
        let folder = try TemporaryFolder(Self.files)
        let key = "a-key-of-a-test-of-ours"
        let arguments = ["serve", "--account", "keyed.yaml", "--listen", "0.0.0.0"]
        let process = try ToolProcess(arguments, in: folder)
        #expect(process.read().hasPrefix("listening on http://0.0.0.0:"))
        process.send(SIGTERM)
        let (status, error) = process.end()
        expect(status, equals: 0)
        #expect(
            error.contains(
                "scenario: warning: everybody who can reach this address gets valid tokens of the account; use it in test networks only\n"
            ))
        #expect(!error.contains(key))
        #expect(!error.contains("no secret"))
    }

    // Below 80 the timers of Dispatch ended the process, or nobody was answered any more.
    @Test("R23.6 few open files are enough, or too few are said", arguments: [24, 40, 50, 64, 79])
    func fewOpenFiles(limit: Int) throws {
        let folder = try TemporaryFolder(Self.files)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let program = Tooling.path(of: "files.py")
        process.arguments = ["-B", program, ToolProcess.path, folder.path("account.yaml"), "\(limit)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let found = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if limit == 24 {
            #expect(found.contains("the system allows 24 open files, and 16 connections need "), "\(found)")
            #expect(found.contains("`ulimit -n` sets the limit"))
            expect(process.terminationStatus, equals: 2)
        } else {
            expect(process.terminationStatus, equals: 0, "\(found)")
        }
    }
}

/// `scenario explore` as a command, and as a process that its page and strangers ask.
@Suite struct ExploreCommandTests {
    // 1 MiB has room for 10,485 attestations.
    @Test("Captures that do not fit are refused with a way to explore a sample, which works") func memory() throws {
        let lines = (0..<10_486).map { number in
            let (device, flags) = (TestSupport.Sample.device(number % 999), number % 3 == 0 ? "rooted" : "")
            return #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(device)","public-flags":"\#(flags)"}"# + "\n"
        }
        let folder = try TemporaryFolder([
            "day.jsonl": lines.joined(), "rest.jsonl": lines.dropLast().joined(), "account.yaml": Sample.account,
        ])
        let words = ["--account", "@account.yaml", "--memory", "1"]
        let refused = ToolRun(["explore", "@day.jsonl"] + words, in: folder).ending(.invalidInput)
        let message = "there are more attestations than fit into memory, which are 10,485"
        #expect(refused.error.contains(message), "\(refused.error)")
        #expect(refused.error.contains("--shards 2 --output sample`"), "\(refused.error)")
        #expect(try ExploreBench(["@rest.jsonl"] + words, in: folder).text("answer").contains(#""attestations":10485"#))
        expect(
            ToolRun(["split", "@day.jsonl", "--shards", "2", "--output", "@sample"], in: folder).status,
            equals: .success)
        let bench = try ExploreBench(["@sample/shard-1.arrow"] + words, in: folder)
        let change = "policy -set default,strict,risk"
        let run = ToolRun(
            ["diff", "@sample/shard-1.arrow", "--account", "@account.yaml", "--format", "json", "--change", change],
            in: folder)
        #expect(run.status == .success && bench.text("answer", #"{"changes":["\#(change)"]}"#) == run.output)
    }

    // Another origin and name, no secret, forms, WebSockets, a body of 10 MB, half a request; killed and started again.
    @Test("Its page is answered, and strangers are not") func sockets() throws {
        let folder = try TemporaryFolder(["day.jsonl": Sample.day, "account.yaml": Sample.account])
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let program = Tooling.path(of: "explore.py")
        process.arguments = ["-B", program, ToolProcess.path, folder.path]
        try process.run()
        process.waitUntilExit()
        expect(process.terminationStatus, equals: 0)
    }
}
