import Foundation
import Testing

@testable import Accounts
@testable import Scenarios
@testable import TestSupport
@testable import scenario

/// Completions of a command line by the Tab key in the real shells.
@Suite struct CompletionTests {
    struct Row: Sendable {
        let name, typed, completed: String
    }

    static let rows = [
        Row(name: "a command", typed: "scenario rep", completed: "scenario replay"),
        Row(name: "an option of the tool", typed: "scenario --ver", completed: "scenario --version"),
        Row(name: "the dump", typed: "scenario --du", completed: "scenario --dump-help"),
        Row(name: "an option", typed: "scenario run --cov", completed: "scenario run --coverage"),
        Row(
            name: "an option behind operands", typed: "scenario run day.yaml --verb",
            completed: "scenario run day.yaml --verbose"),
        Row(name: "a form", typed: "scenario run --format ju", completed: "scenario run --format junit"),
        Row(name: "a joined form", typed: "scenario diff --format=mark", completed: "scenario diff --format=markdown"),
        Row(
            name: "a file of an option", typed: "scenario replay --account pro",
            completed: "scenario replay --account prod.yaml"),
        Row(
            name: "a joined file", typed: "scenario replay --account=pro",
            completed: "scenario replay --account=prod.yaml"),
        Row(name: "a file", typed: "scenario run cust", completed: "scenario run customer.yaml"),
        Row(
            name: "rules of a policy", typed: "scenario replay --policy def",
            completed: "scenario replay --policy default"),
        Row(
            name: "a rejection policy", typed: "scenario replay --policy default,wh",
            completed: "scenario replay --policy default,whitelist"),
        Row(
            name: "an annotation policy", typed: "scenario replay --policy default,allow-root,inf",
            completed: "scenario replay --policy default,allow-root,info"),
        Row(name: "a preset", typed: "scenario policy bla", completed: "scenario policy blacklist"),
        Row(
            name: "a flag", typed: "scenario arc --encode failed emul",
            completed: "scenario arc --encode failed emulator"),
        Row(
            name: "a flag behind others", typed: "scenario arc --encode failed rooted,emul",
            completed: "scenario arc --encode failed rooted,emulator"),
        Row(name: "a shell", typed: "scenario completion z", completed: "scenario completion zsh"),
        Row(name: "the page of a command", typed: "scenario manual expl", completed: "scenario manual explain"),
        Row(
            name: "a topic", typed: "scenario approov --account prod.yaml safe",
            completed: "scenario approov --account prod.yaml safetynet"),
        Row(
            name: "our option before a command", typed: "scenario approov --account prod.yaml --ye",
            completed: "scenario approov --account prod.yaml --yes"),
        Row(
            name: "an action", typed: "scenario approov --account=prod.yaml --yes policy -addR",
            completed: "scenario approov --account=prod.yaml --yes policy -addRejectFlag"),
        Row(
            name: "a policy of a command", typed: "scenario approov --account prod.yaml policy -set default,str",
            completed: "scenario approov --account prod.yaml policy -set default,strict"),
        Row(
            name: "a flag of a command", typed: "scenario approov --account prod.yaml policy -addRejectFlag emul",
            completed: "scenario approov --account prod.yaml policy -addRejectFlag emulator"),
        Row(
            name: "a word of a command", typed: "scenario approov --account prod.yaml policy -setIPTracking f",
            completed: "scenario approov --account prod.yaml policy -setIPTracking full"),
        Row(
            name: "a role", typed: "scenario approov --role ad", completed: "scenario approov --role admin"),
        Row(
            name: "now", typed: "scenario approov --at n", completed: "scenario approov --at now"),
    ]

    // Each option by the shortest prefix that no other has, by command.
    private static let options = ScenarioTool.definition.listed.map { command in
        command.allOptions.compactMap { option -> Row? in
            let others = command.allOptions.map(\.name).filter { $0 != option.name }
            let lengths = 3..<option.name.count
            let least = lengths.first { length in !others.contains { $0.hasPrefix(option.name.prefix(length)) } }
            guard let least else { return nil }
            let start = "scenario \(command.name) "
            return Row(
                name: "\(command.name) \(option.name)", typed: start + option.name.prefix(least),
                completed: start + option.name)
        }
    }

    @Test(arguments: Shell.allCases) func tabCompletes(_ shell: Shell) throws {
        let folder = try TemporaryFolder(["prod.yaml": "", "customer.yaml": "", "other.txt": ""])
        let completions = try TemporaryFolder(["_scenario": shell.completions(of: ScenarioTool.definition)])
        let rows = Self.rows + Self.options.compactMap(\.first)
        let answers = try Tooling.answer(
            of: "shells.py",
            to: [
                "shell": shell.rawValue, "completions": completions.path("_scenario"), "tool": ToolProcess.path,
                "folder": folder.path, "lines": rows.map(\.typed),
            ])
        for row in rows {
            let answer = answers[row.typed] as? String ?? ""
            // Shells put a space, `,` or `=` behind a word that is complete.
            let completed = answer.replacing(/[ ,=]$/, with: "")
            #expect(completed == row.completed, "\(row.name)")
        }
    }

    @Test(arguments: Shell.allCases) func everyOptionIsCompleted(_ shell: Shell) {
        #expect(Self.options.joined().count > 60)
        for row in Self.options.joined() {
            let words = row.typed.split(separator: " ").dropFirst().map(String.init)
            let completion = Completer(ScenarioTool.definition, words: words).completion
            let lines = shell.lines(of: completion, for: words.last ?? "").split(separator: "\n").dropFirst()
            let offered = lines.map { $0.prefix { $0 != ":" && $0 != "\t" } }.filter { $0.hasPrefix(words.last ?? "") }
            #expect(offered.map { "scenario \(words[0]) \($0)" } == [row.completed], "\(row.name)")
        }
    }

    struct Offers: Sendable {
        let name: String
        let words, offered: [String]
        var kind = Completion.Kind.words
    }

    static let offers = [
        Offers(name: "no hidden command", words: ["com"], offered: ["completion"]),
        Offers(name: "no option a second time", words: ["lint", "--strict", "--str"], offered: []),
        Offers(name: "an option that may be repeated", words: ["run", "--tag", "a", "--ta"], offered: ["--tag"]),
        Offers(name: "no option behind --", words: ["policy", "--", "--"], offered: [], kind: .open),
        Offers(name: "no option as a value", words: ["run", "--name", "--"], offered: []),
        Offers(name: "an unknown command", words: ["rnu", ""], offered: []),
        Offers(name: "a command behind --", words: ["approov", "--", "policy", "-getIP"], offered: ["-getIPTracking"]),
        Offers(name: "files", words: ["run", ""], offered: [], kind: .files),
    ]

    @Test(arguments: offers) func wordsAreOffered(_ row: Offers) {
        let completion = Completer(ScenarioTool.definition, words: row.words).completion
        let typed = row.words.last ?? ""
        #expect(completion.kind == row.kind, "\(row.name)")
        #expect(completion.offers.map(\.word).filter { $0.hasPrefix(typed) } == row.offered, "\(row.name)")
    }

    // bash takes the `=` of `--name=value` for a word of its own, and wants what is behind it.
    @Test func bashGetsWhatItWants() throws {
        let start = ["complete", "--shell", "bash", "--"]
        #expect(try ToolRun(start + ["diff", "--format", "=", "mark"]).output == "words\nmarkdown\n")
        #expect(try ToolRun(start + ["diff", "--format", "="]).output.contains("\nhtml\n"))
        #expect(try ToolRun(start).output.hasPrefix("words\nrun\n"))
    }

    @Test(arguments: Shell.allCases) func theCommandWritesThem(_ shell: Shell) throws {
        let run = try ToolRun(["completion", shell.rawValue])
        #expect(run.status == .success && run.error == "")
        #expect(run.output == shell.completions(of: ScenarioTool.definition))
    }

    static let refused: [ToolRow] = [
        .usage(
            "unknown shell", "completion ksh",
            "there are no completions for `ksh`; there are some for `bash`, `zsh`, `fish`"),
        .usage("no shell", "completion", "`SHELL` is missing; `--help` shows how it is used"),
    ]

    @Test(arguments: refused) func otherShellsAreRefused(_ row: ToolRow) throws { try row.expectNoOutput(files: [:]) }
}

/// The manual pages, as mandoc and groff read them.
@Suite struct ManualPageTests {
    private static let commands = ScenarioTool.definition.listed

    @Test func pagesAreValidAndSayWhatTheTableSays() throws {
        let pages = try TemporaryFolder(
            Dictionary(
                uniqueKeysWithValues: try Self.commands.map {
                    ("scenario-\($0.name).1", try ToolRun(["manual", $0.name]).output)
                } + [("scenario.1", try ToolRun("manual").output)]))
        let names = try ToolRun("manual --names").output.split(separator: "\n").map { "\($0).1" }
        #expect(names.sorted() == pages.names.sorted())
        let answers = try Tooling.answer(of: "manual.py", to: ["files": names.map(pages.path)])
        func page(_ name: String) throws -> [String: Any] {
            try #require(answers[pages.path(name)] as? [String: Any])
        }
        for name in names { #expect(try page(name)["problems"] as? [String] == [], "\(name)") }
        for command in Self.commands {
            let text = Self.words(try page("scenario-\(command.name).1")["text"] as? String)
            for option in command.allOptions {
                #expect(text.contains(Self.words("\(option.label) \(option.summary)")), "\(command.name)")
            }
            for example in command.examples { #expect(text.contains(Self.words(example.line)), "\(command.name)") }
            let tool = Self.words(try page("scenario.1")["text"] as? String)
            #expect(tool.contains("\(command.name) \(Self.words(command.summary))"))
        }
    }

    // Without line breaks, hyphenation and the marks of our messages.
    private static func words(_ text: String?) -> String {
        (text ?? "").replacing("\u{2010}\n", with: "").replacing("…", with: "...").replacing("`", with: "")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    static let refused: [ToolRow] = [
        .usage("unknown command", "manual dif", "unknown command `dif`; did you mean `diff`?"),
        .usage("names of a command", "manual --names diff", "`--names` takes no command"),
    ]

    @Test(arguments: refused) func otherPagesAreRefused(_ row: ToolRow) throws { try row.expectNoOutput(files: [:]) }
}

/// The files that `make install` installs, and their folders.
@Suite struct InstallTests {
    private static let program = GoldenCase.tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Tools/install.sh")

    private static func install(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = program
        process.arguments = [ToolProcess.path] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test func filesStandWhereShellsAndManLook() throws {
        let folder = try TemporaryFolder()
        #expect(try Self.install(["/usr", folder.path]) == 0)
        #expect(FileManager.default.isExecutableFile(atPath: folder.path("usr/bin/scenario")))
        let completions = [
            Shell.bash: "bash-completion/completions/scenario", .zsh: "zsh/site-functions/_scenario",
            .fish: "fish/vendor_completions.d/scenario.fish",
        ]
        for shell in Shell.allCases {
            let path = try #require(completions[shell])
            #expect(folder["usr/share/\(path)"] == shell.completions(of: ScenarioTool.definition))
        }
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("usr/share/man/man1"))
        #expect(pages.sorted() == ManualPage.names(of: ScenarioTool.definition).map { "\($0).1.gz" }.sorted())
        for (kind, schema) in [
            ("account", AccountSchema.document), ("scenario", ScenarioSchema.document),
            ("keys", KeyFileSchema.document),
        ] {
            #expect(folder["usr/share/scenario/schemas/\(kind).schema.json"] == schema)
        }
        let documents = folder.path("usr/share/doc/scenario")
        #expect(FileManager.default.fileExists(atPath: documents + "/examples/Scenarios/README.md"))
        #expect(FileManager.default.fileExists(atPath: documents + "/LICENSE"))
    }

    @Test func aPrefixIsAFullPath() throws {
        let folder = try TemporaryFolder()
        #expect(try Self.install(["usr", folder.path]) == 2)
        #expect(folder.names == [])
    }
}
