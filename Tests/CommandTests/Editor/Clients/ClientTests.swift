import Foundation
import Testing

@testable import Documents
@testable import TestSupport

/// Other people's clients talk to the command: pytest-lsp, recorded clients, and the Python SDK of the Model Context Protocol.
@Suite(.serialized) struct ClientTests {
    // MARK: pytest-lsp

    @Test func pytestSpeaksTheWholeProtocol() throws {
        let files = [
            "day.jsonl": Samples.capture, "sub/u.yaml": Samples.scenario.replacing("prod.yaml", with: "../prod.yaml"),
        ]
        let folder = try TemporaryFolder(Samples.files.merging(files) { $1 })
        let ended = try Client.run(
            Client.python, ["-B", Client.program("language_client.py"), Client.command, folder.path], in: folder)
        let answers = try Client.object(ended.output)
        #expect(answers["encoding"] as? String == "utf-8" && answers["server"] as? String == "scenario")
        expect(answers["before"] as? Int, equals: 0)
        // A comment, and a key that is misspelt; the key itself comes again in the next line.
        let after = try #require(answers["after"] as? [[Any]])
        #expect(after.map { $0[0] as? Int } == [1] && after.map { $0[2] as? Int } == [7])
        expect(after.first?[4] as? String, equals: "unknown key `scenari` in the scenario\ndid you mean `scenario`?")
        expect(answers["mended"] as? Int, equals: 0)
        expect(answers["hover"] as? String, equals: "**group `bob`** has one device on android.")
        expect(answers["completions"] as? [String], equals: ["bob", "amy", "all"])
        expect(answers["prepared"] as? String, equals: "bob")
        let edits = (answers["edits"] as? [[Any]])?.map { "\($0[0]):\($0[1]) \($0[2])" }
        expect(edits, equals: ["4:2 rob", "7:21 rob", "7:49 rob", "9:26 rob"])
        #expect(answers["references"] as? Int == 4 && answers["definition"] as? Int == 4)
        #expect(answers["actions"] as? Int == 0 && answers["status"] as? Int == 0)
        expect(answers["unknown"] as? Int, equals: -32601, "the protocol's code of an unknown method")
        expect(answers["unrun"] as? [String], equals: ["run"])
        let run = try #require(answers["run"] as? [String])
        #expect(run.first == "run: passed, 4 expectations held" && run.count == 5)
        expect(answers["uncounted"] as? [String], equals: [])
        expect(
            (answers["counted"] as? [String])?.prefix(2),
            equals: ["1 device in day.jsonl", "matches 1 device (100.0 %)"])
        // A file that nobody shows changes on the disk, and changes back; its folder is closed, and opened again.
        expect(answers["opened"] as? [String], equals: [])
        let watched = try #require(answers["watched"] as? [String])
        #expect(watched.count == 3 && watched[0] == "unknown filter `vpn`")
        expect(answers["saved"] as? [String], equals: [])
        let removed = try #require(answers["folder removed"] as? [String])
        expect(removed.first?.hasSuffix("/prod.yaml` is outside the scenario's folder"), equals: true, "\(removed)")
        expect(answers["folder added"] as? [String], equals: [])
    }

    /// Neovim, Emacs and VS Code, by the capabilities that were recorded of them; pytest-lsp refuses what they would not understand.
    @Test func recordedClientsUnderstandTheAnswers() throws {
        let folder = try TemporaryFolder(Samples.files)
        let ended = try Client.run(
            Client.python, ["-B", Client.program("recorded_clients.py"), Client.command, folder.path], in: folder)
        let answers = try Client.object(ended.output)
        // `  - {at: 2h, set: {group: 😀, flags: [` has 38 units in UTF-16.
        let columns = ["utf-8": 40, "utf-16": 38, "utf-32": 37]
        let encodings = [
            "visual-studio-code": "utf-16", "neovim@v0.7.0": "utf-16", "neovim@v0.11.0": "utf-8", "emacs": "utf-32",
        ]
        expect(Set(answers.keys), equals: Set(encodings.keys))
        for (client, encoding) in encodings {
            let answer = try #require(answers[client] as? [String: Any])
            expect(answer["encoding"] as? String, equals: encoding, "\(client)")
            expect(answer["problem"] as? [Int], equals: [9, columns[encoding] ?? -1], "\(client)")
            expect(answer["actions"] as? [String], equals: ["Write `rooted` instead of `rooed`"], "\(client)")
            expect(answer["hover"] as? String, equals: "**group `😀`** has one device on android.", "\(client)")
            #expect(answer["completions"] as? Int == 3 && answer["edits"] as? Int == 4, "\(client)")
            #expect(answer["lenses"] as? [String] == ["run"] && answer["status"] as? Int == 0, "\(client)")
        }
    }

    // MARK: VS Code

    @Test func theExtensionStartsTheServerAndSendsItsSettings() throws {
        let folder = try TemporaryFolder([
            "prod.yaml": Samples.account, "s.yaml": Samples.scenario.replacing("rooted", with: "rooed"),
            "day.jsonl": Samples.capture,
        ])
        let recorded = Repository.root.appending(
            path: ".build/editor/venv/lib/python3.11/site-packages/pytest_lsp/clients/visual_studio_code_v1.65.2.json")
        let ended = try Client.run(
            URL(filePath: "/usr/bin/node"),
            [Client.program("extension_host.js"), Client.command, folder.path, recorded.path(percentEncoded: false)],
            in: folder)
        let answers = try Client.object(ended.output)
        expect(answers["activation"] as? [String], equals: ["onLanguage:yaml"])
        expect(answers["settings"] as? [String], equals: ["scenario.command", "scenario.captures"])
        let client = try #require(answers["client"] as? [String: Any])
        expect(client["args"] as? [String], equals: ["lsp"])
        let problems = (answers["notifications"] as? [[String: Any]])?.first?["params"] as? [String: Any]
        let problem = (problems?["diagnostics"] as? [[String: Any]])?.first
        expect(problem?["message"] as? String, equals: "unknown flag `rooed`\ndid you mean `rooted`?")
        let hover = (answers["hover"] as? [String: Any])?["contents"] as? [String: String]
        expect(hover?["value"]?.hasPrefix("**filter `vpn`** (R7)"), equals: true)
        expect(
            (answers["actions"] as? [[String: Any]])?.first?["title"] as? String,
            equals: "Write `rooted` instead of `rooed`")
        expect(
            (answers["lenses"] as? [String])?.prefix(2),
            equals: ["1 device in day.jsonl", "matches 1 device (100.0 %)"])
        expect(answers["status"] as? Int, equals: 0)
    }

    // MARK: The Python SDK

    private static func ask(
        _ calls: [[String: Any]], _ folder: TemporaryFolder, _ options: [String] = []
    ) throws -> (answers: [String: Any], calls: [(isError: Bool, texts: [String])]) {
        let ended = try Client.run(
            Client.python, ["-B", Client.program("agent_client.py"), Client.command] + options + [folder.path("w")],
            in: folder,
            input: JSONSerialization.data(withJSONObject: calls))
        let answers = try Client.object(ended.output)
        let read = try #require(answers["calls"] as? [[String: Any]])
        return (answers, read.map { ($0["isError"] as? Bool ?? true, $0["texts"] as? [String] ?? []) })
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder([
            "w/prod.yaml": Samples.account, "w/s.yaml": Samples.scenario, "w/day.jsonl": Samples.capture,
            "secret.yaml": "account: s\n",
            "w/names.txt": "x\n", "w/trial.yaml": "account: t\nrules: [trial]\npolicy: default,allow-root,default\n",
            "w/hours.jsonl": Samples.capture + Samples.capture.replacing("T10", with: "T12"),
        ])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("w/link.yaml"), withDestinationPath: folder.path("secret.yaml"))
        return folder
    }

    @Test func everyToolAnswersWithTheReportOfItsCommand() throws {
        let folder = try Self.folder()
        let (account, scenario, day) = (folder.path("w/prod.yaml"), folder.path("w/s.yaml"), folder.path("w/day.jsonl"))
        let (trial, hours) = (folder.path("w/trial.yaml"), folder.path("w/hours.jsonl"))
        let (change, steps) = ("policy -set default,strict,risk", "10%:1h,100%")
        let questions: [(tool: String, arguments: [String: Any], line: [String])] = [
            ("lint", ["paths": [account]], [account]),
            ("run", ["paths": [scenario]], ["--redact", scenario]),
            ("replay", ["paths": [day], "account": account], ["--redact", "--account", account, day]),
            (
                "compare", ["paths": [day, hours], "account": account, "max-drift": "50%"],
                ["--redact", "--account", account, "--max-drift", "50%", day, hours]
            ),
            (
                "diff", ["paths": [day], "account": account, "change": [change]],
                ["--redact", "--account", account, "--change", change, day]
            ),
            (
                "rollout", ["paths": [hours], "account": trial, "policy": "default", "steps": steps, "runs": 2],
                ["--account", trial, "--policy", "default", "--steps", steps, "--runs", "2", hours]
            ),
            ("whatif", ["paths": [day], "account": account], ["--account", account, day]),
            (
                "search", ["paths": [day], "account": account, "reject": "flag:rooted"],
                ["--account", account, "--reject", "flag:rooted", day]
            ),
            ("prove", ["account": account, "change": [change]], ["--account", account, "--change", change]),
            ("explain", ["paths": [scenario], "device": "bob"], ["--redact", "--device", "bob", scenario]),
            ("policy", ["words": ["strict"]], ["strict"]),
        ]
        let asked: [[String: Any]] = questions.map {
            ["tool": $0.tool, "arguments": $0.arguments.merging(["detail": true]) { $1 }]
        }
        let (answers, calls) = try Self.ask(asked, folder)
        // The device of a proof has a name there, and a proof has no option for that.
        let (_, shown) = try Self.ask(asked, folder, ["--no-redact"])
        expect(answers["server"] as? String, equals: "scenario")
        expect((answers["instructions"] as? String)?.hasSuffix("/w` by their full paths."), equals: true)
        expect(answers["tools"] as? [String], equals: questions.map(\.tool))
        expect(
            (answers["resources"] as? [String])?.prefix(4),
            equals: [
                "scenario:schema/account", "scenario:schema/scenario", "scenario:schema/keys", "scenario:schema/report",
            ])
        expect(answers["schema"] as? String, equals: "An account")
        for (question, answers) in zip(questions, zip(calls, shown)) {
            let call = question.line.first == "--redact" ? answers.0 : answers.1
            let ended = try Client.run(
                URL(filePath: Client.command), [question.tool, "--format", "json"] + question.line, in: folder,
                environment: ["HOME": folder.path])
            #expect(!call.isError, "\(question.tool): \(call.texts)")
            expect(call.texts.first, equals: String(decoding: ended.output, as: UTF8.self), "\(question.tool)")
        }
    }

    @Test func withoutDetailAnAnswerIsTheBeginningOfTheTextReport() throws {
        let folder = try Self.folder()
        let (account, day) = (folder.path("w/prod.yaml"), folder.path("w/day.jsonl"))
        let failing = Samples.scenario.replacing("verdict: pass", with: "verdict: fail")
        try Data(failing.utf8).write(to: URL(filePath: folder.path("w/failing.yaml")))
        let keys = "ip,ip/8,ip/16,ip/24,time/hour,time/day,flags"
        let asked: [[String: Any]] = [
            ["tool": "diff", "arguments": ["paths": [day], "account": account, "policy": "strict"]],
            ["tool": "replay", "arguments": ["paths": [day], "account": account, "count": keys]],
            ["tool": "run", "arguments": ["paths": [folder.path("w/failing.yaml")]]],
            ["tool": "diff", "arguments": ["paths": [day], "account": account, "policy": "strict", "detail": "yes"]],
        ]
        let calls = try Self.ask(asked, folder).calls
        let lines = calls.map { ($0.texts.first ?? "").split(separator: "\n", omittingEmptySubsequences: false) }
        expect(
            lines[0].first,
            equals: "no device of 1 would stop getting valid tokens; none would start; token fetches stay as they are")
        #expect(lines.allSatisfy { $0.count <= 42 })
        // A replay has more lines, and ends with a whole part of them.
        let rest = try #require(lines[1].dropLast().last)
        #expect(rest.hasSuffix(" further lines: `detail` gives the whole report as JSON"))
        let ended = try Client.run(
            URL(filePath: Client.command), ["replay", "--redact", "--count", keys, "--account", account, day],
            in: folder, environment: ["HOME": folder.path])
        let whole = String(decoding: ended.output, as: UTF8.self)
        #expect(whole.hasPrefix(lines[1].dropLast(2).joined(separator: "\n") + "\n\n"))
        // The failures of a run are at its end.
        #expect(!calls[2].isError && calls[2].texts[0].contains("  FAIL  Uses them"))
        expect(calls[3].texts, equals: ["the argument `detail` is true or false"])
    }

    @Test func theFilesOfTheFoldersAreResources() throws {
        let folder = try Self.folder()
        let account = "account: k\ndevices: [{id: h4gubfCFzJu81j/U2BJsdg==, label: Bob}]\n"
        for (name, text) in [
            ("w/in/a b.yaml", account), ("w/in/k.yaml", "account-secret: c2VjcmV0\n"), ("w/.git/x.yaml", account),
        ] {
            let url = URL(filePath: folder.path(name))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let root = "file://" + FileLocation(folder.path("w")).path
        let read: [[String: Any]] = ["in/a%20b.yaml", "day.jsonl", "in/k.yaml", "link.yaml", "../secret.yaml"].map {
            ["read": "\(root)/\($0)"]
        }
        let (answers, calls) = try Self.ask(read, folder)
        expect(
            (answers["resources"] as? [String])?.filter { $0.hasPrefix("file:") },
            equals: [
                "day.jsonl", "hours.jsonl", "in/a%20b.yaml", "in/k.yaml", "names.txt", "prod.yaml", "s.yaml",
                "trial.yaml",
            ].map { "\(root)/\($0)" })
        // The device has a name, as in answers; of a capture there is no text, and of keys nothing.
        #expect(calls[0].texts[0].hasPrefix("account: k\n") && !calls[0].texts[0].contains("h4gubfCFzJu81j"))
        #expect(calls[1].texts[0].hasPrefix("The tools answer questions about this file: /"))
        #expect(calls[2...].allSatisfy { $0.isError && !$0.texts.joined().contains("c2VjcmV0") })
    }

    @Test func whatLeadsOutsideIsRefused() throws {
        let folder = try Self.folder()
        let account = folder.path("w/prod.yaml")
        let refused: [(String, [String: Any])] = [
            ("lint", ["paths": [folder.path("secret.yaml")]]), ("lint", ["paths": [folder.path("w/../secret.yaml")]]),
            ("lint", ["paths": [folder.path("w/link.yaml")]]), ("lint", ["paths": ["-"]]),
            ("lint", ["paths": ["/dev/stdin"]]),
            ("policy", ["account": folder.path("secret.yaml")]),
            ("prove", ["account": account, "change": ["appsigncert -add \(folder.path("secret.yaml"))"]]),
            (
                "search",
                [
                    "paths": [folder.path("w/day.jsonl")], "account": account,
                    "reject": "did:@\(folder.path("secret.yaml"))",
                ]
            ),
            ("run", ["paths": [folder.path("w/s.yaml")], "update": true]),
            ("run", ["paths": [folder.path("w/s.yaml")], "output": "x"]),
            ("replay", ["paths": [folder.path("w/day.jsonl")], "account": account, "no-redact": true]),
            ("replay", ["paths": ["day.jsonl"]]), ("replay", ["account": account]),
            ("approov", ["words": ["policy", "-get"]]), ("serve", [:]),
        ]
        let before = folder.names + (try FileManager.default.contentsOfDirectory(atPath: folder.path("w")).sorted())
        let (_, calls) = try Self.ask(refused.map { ["tool": $0.0, "arguments": $0.1] }, folder)
        for (question, call) in zip(refused, calls) {
            #expect(call.isError, "\(question) \(call.texts)")
            #expect(!call.texts.joined().contains("account: s"), "\(question)")
        }
        // An agent that knows neither the folders nor the arguments learns them.
        let advice = calls.suffix(4).prefix(2).map { $0.texts.joined() }
        #expect(advice[0].hasPrefix("`day.jsonl` is outside the folders that may be read here; name files in `/"))
        expect(advice[1], equals: "the argument `paths` is missing")
        expect(
            folder.names + (try FileManager.default.contentsOfDirectory(atPath: folder.path("w")).sorted()),
            equals: before)
    }

    @Test func keyFilesAndLinksInFoldersAreConfined() throws {
        let account = { (keys: String) in "account: k\nkeys: \(keys)\n" }
        let folder = try TemporaryFolder([
            "secret.keys": "no key file\n", "secret.yaml": "scenario: secret\nsteps: []\n",
            "w/day.jsonl": Samples.capture, "w/own.yaml": account("own.keys"), "w/dots.yaml": account("../secret.keys"),
            "w/linked.yaml": account("link.keys"), "w/through.yaml": account("up/secret.keys"),
            "w/s.yaml": "scenario: x\naccount: dots.yaml\nsteps: []\n", "w/linking/t.yaml": Samples.account,
        ])
        for (link, target) in [
            ("w/link.keys", "secret.keys"), ("w/up", "."), ("w/linking/secret.yaml", "secret.yaml"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(link), withDestinationPath: folder.path(target))
        }
        let (day, own) = (folder.path("w/day.jsonl"), folder.path("w/own.yaml"))
        var refused: [(String, [String: Any])] = ["dots", "linked", "through"].flatMap { name in
            let path = folder.path("w/\(name).yaml")
            return [
                ("lint", ["paths": [path]]), ("policy", ["account": path]),
                ("replay", ["paths": [day], "account": path]),
                ("diff", ["paths": [day], "account": own, "candidate": path]),
                ("prove", ["account": own, "candidate": path]), ("whatif", ["paths": [day], "account": path]),
                ("explain", ["paths": [day], "account": path, "device": "h4gubfCFzJu81j/U2BJsdg=="]),
                ("search", ["paths": [day], "account": path, "reject": "flag:rooted"]),
            ]
        }
        refused += [
            ("run", ["paths": [folder.path("w/s.yaml")]]), ("lint", ["paths": [folder.path("w/linking")]]),
            ("run", ["paths": [folder.path("w/linking")]]),
        ]
        let (_, calls) = try Self.ask(refused.map { ["tool": $0.0, "arguments": $0.1] }, folder)
        for (question, call) in zip(refused, calls) {
            #expect(call.isError && call.texts.joined().contains("outside the "), "\(question) \(call.texts)")
        }
        #expect(calls[0].texts.joined().contains("start `scenario mcp` with the folder that holds both"))
        let allowed = try Self.ask([["tool": "policy", "arguments": ["account": own]]], folder).calls
        #expect(!allowed[0].isError, "\(allowed[0].texts)")
    }

    @Test func answersAreRedactedAndLimited() throws {
        let folder = try Self.folder()
        let arguments: [String: Any] = [
            "paths": [folder.path("w/day.jsonl")], "account": folder.path("w/prod.yaml"), "count": "ip",
        ]
        let call: [[String: Any]] = [["tool": "replay", "arguments": arguments]]
        let hidden = try Self.ask(call, folder).calls[0]
        #expect(!hidden.isError && !hidden.texts.joined().contains("10.1.2.3"))
        let shown = try Self.ask(call, folder, ["--no-redact"]).calls[0]
        #expect(shown.texts.joined().contains("10.1.2.3"))
        let long = try Self.ask(call, folder, ["--max-answer", "100"]).calls[0]
        #expect(long.isError && long.texts.joined().contains("at most 100 are given"))
    }

    // MARK: The end of a client

    private static func message(_ text: String) -> Data {
        Data("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    }

    /// The protocol: an exit without `shutdown` ends with 1. Of a client that goes without a word it says nothing.
    @Test(arguments: [(true, true, Int32(0)), (false, true, 1), (false, false, 2)])
    func theStatusSaysWhetherTheClientTookItsLeave(shutsDown: Bool, exits: Bool, status: Int32) throws {
        var input = Self.message(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#)
        if shutsDown { input += Self.message(#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#) }
        if exits { input += Self.message(#"{"jsonrpc":"2.0","method":"exit"}"#) }
        let ended = try Client.run(URL(filePath: Client.command), ["lsp"], in: TemporaryFolder(), input: input)
        expect(ended.status, equals: status)
    }

    @Test(arguments: [["lsp"], ["mcp", "."]]) func aClientThatDiesLeavesNoProcess(words: [String]) throws {
        let folder = try TemporaryFolder()
        let (process, input) = (Process(), Pipe())
        process.executableURL = URL(filePath: Client.command)
        process.arguments = words
        process.currentDirectoryURL = URL(filePath: folder.path)
        (process.standardInput, process.standardOutput, process.standardError) = (
            input, FileHandle.nullDevice, FileHandle.nullDevice
        )
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("Content-Length: 100\r\n\r\n{".utf8))
        try input.fileHandleForWriting.close()
        let end = Date(timeIntervalSinceNow: 60)
        while process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.01) }
        #expect(!process.isRunning)
        if process.isRunning { process.terminate() }
    }
}
