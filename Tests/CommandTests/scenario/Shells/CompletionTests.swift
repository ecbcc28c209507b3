import Foundation
import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import Scenarios
@testable import TestSupport
@testable import scenario

/// Completions of a command line by the Tab key in the real shells.
@Suite struct CompletionTests {
    /// Lines that are typed behind the name of the tool, and each when it is completed.
    static let rows: [Case<String, String>] = {
        let path = "Tests/Tables/words/completions.txt"
        let file = CaseFile(path: path, text: (try? Repository.text(of: path)) ?? "")
        return file.cases.flatMap(\.body).rows(26).map { line in
            let words = line.components(separatedBy: ": ")
            let typed = words[1].components(separatedBy: " → ")
            return Case(words[0], typed[0], gives: typed[1])
        }
    }()

    // Each option by the shortest prefix that no other has, by command.
    private static let options = ScenarioTool.definition.listed.map { command in
        command.allOptions.compactMap { option -> Case<String, String>? in
            let others = command.allOptions.map(\.name).filter { $0 != option.name }
            let lengths = 3..<option.name.count
            let least = lengths.first { length in !others.contains { $0.hasPrefix(option.name.prefix(length)) } }
            guard let least else { return nil }
            let line = "\(command.name) \(option.name)"
            return Case(line, "\(command.name) \(option.name.prefix(least))", gives: line)
        }
    }

    @Test(arguments: Shell.allCases) func tabCompletes(_ shell: Shell) async throws {
        let folder = try TemporaryFolder(["prod.yaml": "", "customer.yaml": "", "other.txt": ""])
        let completions = try TemporaryFolder(["_scenario": shell.completions(of: ScenarioTool.definition)])
        let rows = Self.rows + Self.options.compactMap(\.first)
        let answers = try await Tooling.answer(
            of: "shells.py",
            to: [
                "shell": shell.rawValue, "completions": completions.path("_scenario"), "tool": ToolProcess.path,
                "folder": folder.path, "lines": rows.map { "scenario \($0.input)" },
            ])
        for row in rows {
            let answer = answers["scenario \(row.input)"] as? String ?? ""
            // Shells put a space, `,` or `=` behind a word that is complete.
            let completed = answer.replacing(/[ ,=]$/, with: "")
            expect(completed, equals: "scenario \(row.expected)", "\(row)")
        }
    }

    @Test(arguments: Shell.allCases) func everyOptionIsCompleted(_ shell: Shell) {
        #expect(Self.options.joined().count > 60)
        for row in Self.options.joined() {
            let words = row.input.split(separator: " ").map(String.init)
            let completion = Completer(ScenarioTool.definition, words: words).completion
            let lines = shell.lines(of: completion, for: words.last ?? "").split(separator: "\n").dropFirst()
            let offered = lines.map { $0.prefix { $0 != ":" && $0 != "\t" } }.filter { $0.hasPrefix(words.last ?? "") }
            expect(offered.map { "\(words[0]) \($0)" }, equals: [row.expected], "\(row)")
        }
    }

    // Each option of which the values are a closed list, with no value yet; and with the beginning of a file's name.
    private static let closedLists = ScenarioTool.definition.listed.flatMap { command in
        command.allOptions.flatMap { option -> [Case<String, [String]>] in
            guard case .words(let words)? = option.shape?.words else { return [] }
            let line = "\(command.name) \(option.name)"
            return [
                Case(line, "\(line) ", gives: words.sorted()),
                Case(line, "\(line)=", gives: words.map { "\(option.name)=\($0)" }.sorted()),
                Case("a file behind \(line)", "\(line) prod", gives: [""]),
            ]
        }
    }

    @Test func fishOffersNoFileWhereValuesAreAClosedList() async throws {
        let folder = try TemporaryFolder(["prod.yaml": "", "text.txt": "", "json": ""])
        let completions = try TemporaryFolder(["_scenario": Shell.fish.completions(of: ScenarioTool.definition)])
        #expect(Self.closedLists.count > 60)
        let answers = try await Tooling.answer(
            of: "shells.py",
            to: [
                "shell": "fish", "completions": completions.path("_scenario"), "tool": ToolProcess.path,
                "folder": folder.path, "lines": Self.closedLists.map { "scenario \($0.input)" },
            ])
        for row in Self.closedLists {
            let line = "scenario \(row.input)"
            let typed = line.split(separator: " ", omittingEmptySubsequences: false).dropLast().joined(separator: " ")
            let answer = try #require(answers[line] as? String)
            expect(
                answer.dropFirst(typed.count + 1).components(separatedBy: " | ").sorted(), equals: row.expected,
                "\(row)")
        }
    }

    @Test(arguments: Shell.allCases) func theCommandWritesThem(_ shell: Shell) throws {
        let run = try ToolRun(["completion", shell.rawValue])
        #expect(run.status == .success && run.error == "")
        expect(run.output, equals: shell.completions(of: ScenarioTool.definition))
    }
}

/// The manual pages, as mandoc and groff read them.
@Suite struct ManualPageTests {
    private static let commands = ScenarioTool.definition.listed

    @Test func pagesAreValidAndSayWhatTheTableSays() async throws {
        let pages = try TemporaryFolder(
            Dictionary(
                uniqueKeysWithValues: try Self.commands.map {
                    ("scenario-\($0.name).1", try ToolRun(["manual", $0.name]).output)
                } + [("scenario.1", try ToolRun("manual").output)]))
        let names = try ToolRun("manual --names").output.split(separator: "\n").map { "\($0).1" }
        expect(names.sorted(), equals: pages.names.sorted())
        let answers = try await Tooling.answer(of: "manual.py", to: ["files": names.map(pages.path)])
        func page(_ name: String) throws -> [String: Any] {
            try #require(answers[pages.path(name)] as? [String: Any])
        }
        for name in names { try expect(page(name)["problems"] as? [String], equals: [], "\(name)") }
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
}

/// The files that `make install` installs, and their folders.
@Suite struct InstallTests {
    private static let program = Repository.root.appending(path: "Tools/install.sh")

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
        try expect(Self.install(["/usr", folder.path]), equals: 0)
        #expect(FileManager.default.isExecutableFile(atPath: folder.path("usr/bin/scenario")))
        let completions = [
            Shell.bash: "bash-completion/completions/scenario", .zsh: "zsh/site-functions/_scenario",
            .fish: "fish/vendor_completions.d/scenario.fish",
        ]
        for shell in Shell.allCases {
            let path = try #require(completions[shell])
            expect(folder["usr/share/\(path)"], equals: shell.completions(of: ScenarioTool.definition))
        }
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("usr/share/man/man1"))
        expect(pages.sorted(), equals: ManualPage.names(of: ScenarioTool.definition).map { "\($0).1.gz" }.sorted())
        for (kind, schema) in [
            ("account", AccountSchema.document), ("scenario", ScenarioSchema.document),
            ("keys", KeyFileSchema.document),
        ] {
            expect(folder["usr/share/scenario/schemas/\(kind).schema.json"], equals: schema)
        }
        let documents = folder.path("usr/share/doc/scenario")
        #expect(FileManager.default.fileExists(atPath: documents + "/examples/Scenarios/README.md"))
        #expect(FileManager.default.fileExists(atPath: documents + "/LICENSE"))
    }

    @Test func aPrefixIsAFullPath() throws {
        let folder = try TemporaryFolder()
        try expect(Self.install(["usr", folder.path]), equals: 2)
        expect(folder.names, equals: [])
    }
}

/// Keys of attributes at the Tab key.
@Suite struct CaptureKeyTests {
    private static let files = [
        "day.jsonl": #"{"time":"x","device-id":"y","shop":1}"# + "\nnothing\n" + #"{"user-tier":"z"}"# + "\n",
        "day.txt": "--- id 2020-07-23 10:00:00 UTC ---\ndevice: x\nloyalty-number: 12\nnot a key: z\n",
    ]

    private static func offers(_ words: [String]) -> [String] {
        Completer(.scenario, words: words).completion.offers.map(\.word)
    }

    @Test("keys of the captures on the line are offered, and those that the service collects") func keys() throws {
        let folder = try TemporaryFolder(Self.files)
        let offered = Self.offers(["replay", folder.path("day.jsonl"), folder.path("day.txt"), "--count", ""])
        #expect(Set(["shop", "user-tier", "loyalty-number", "time", "ip", "app-version"]).isSubset(of: offered))
        #expect(!offered.contains("not a key") && offered == offered.sorted() && Set(offered).count == offered.count)
        let behind = Self.offers(["replay", folder.path("day.jsonl"), "--count", "ip,sh"])
        #expect(behind.contains("ip,shop"))
    }

    @Test("without a capture, those that the service collects are offered") func noCapture() {
        expect(Self.offers(["replay", "none.jsonl", "--count", ""]), equals: Set(InformationKeys.all).sorted())
    }
}
