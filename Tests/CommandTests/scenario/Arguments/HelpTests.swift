import Foundation
import Testing

@testable import TestSupport
@testable import scenario

struct HelpTextTests {
    static let tool = ScenarioTool.definition

    @Test(arguments: tool.commands) func noLineIsTooLong(_ command: scenario.Command) {
        for width in [TerminalChoice.leastWidth, TerminalChoice.usualWidth, TerminalChoice.greatestWidth] {
            // A label or an example that is too long stays whole.
            let help = HelpText.text(for: command, of: Self.tool, width: width)
            let lines = help.split(separator: "\n").filter {
                $0.split(separator: " ").count > 3 && !$0.contains("scenario ")
            }
            #expect(lines.allSatisfy { $0.count <= width && $0.last != " " }, "\(lines.filter { $0.count > width })")
        }
    }

    @Test(arguments: tool.commands) func theShortHelpFitsOnAScreen(_ command: scenario.Command) {
        for width in [TerminalChoice.leastWidth, TerminalChoice.usualWidth] {
            let lines = HelpText.text(for: command, of: Self.tool, .short, width: width).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= width || !$0.contains("   --") })
            for option in command.allOptions { #expect(lines.contains { $0.contains(option.name) }) }
        }
        let short = HelpText.text(for: command, of: Self.tool, .short)
        #expect(short.split(separator: "\n", omittingEmptySubsequences: false).count <= 41)
    }

    @Test func longTextsContinueInTheirColumn() {
        let long = scenario.Option("--long", String(repeating: "word ", count: 40))
        let command = scenario.Command("sample", "Does nothing.", options: [long]) { _ in .success }
        let lines = HelpText.text(for: command, of: Self.tool, width: 100).split(separator: "\n").filter {
            $0.contains("word")
        }
        expect(lines.map(\.count), equals: [99, 99, 44])
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("               word") })
    }

    @Test func wordsAreWrappedAndNeverCut() {
        expect("aa bb cc".wrapped(to: 5), equals: ["aa bb", "cc"])
        expect("a bbbbbb c".wrapped(to: 3), equals: ["a", "bbbbbb", "c"])
        #expect(" \n ".wrapped(to: 3).isEmpty)
    }
}

@Suite struct HelpTests {
    private static func help(_ command: scenario.Command) -> String {
        HelpText.text(for: command, of: ScenarioTool.definition)
    }

    @Test func helpOfEachCommandGoesToStandardOutput() throws {
        for command in ScenarioTool.commands {
            let run = try ToolRun([command.name, "--help"]).ending(.success)
            #expect(run.output == Self.help(command) && run.error == "")
        }
    }

    @Test func anOptionThatIsLongStandsOnALineOfItsOwn() throws {
        let lines = try ToolRun("run --help").output.split(separator: "\n").map(String.init)
        let forms = "  -f, --format text|json|html|openmetrics|junit|tap|github|summary-mail"
        let start = try #require(lines.firstIndex(of: forms))
        let seed = try #require(lines.first { $0.hasPrefix("      --seed N ") })
        let column = seed.distance(from: seed.startIndex, to: try #require(seed.firstRange(of: "Draw")).lowerBound)
        // Its summary is below, at the column of the others'.
        #expect(lines[start + 1].hasPrefix(String(repeating: " ", count: column) + "Write the report"))
    }

    @Test func formerNamesAreInNoHelp() throws {
        for command in ScenarioTool.definition.listed {
            #expect(!HelpText.text(for: command, of: ScenarioTool.definition).contains("unjudged"))
            #expect(!ManualPage.text(of: command, tool: ScenarioTool.definition).contains("unjudged"))
        }
        #expect(!ToolDump.text(of: ScenarioTool.definition).contains("unjudged"))
    }
}

/// The dump for other programs, read as swift-argument-parser's own `ToolInfoV0` reads it.
@Suite struct ToolDumpTests {
    private struct Tool: Decodable {
        let serializationVersion: Int
        let command: Command
    }

    private struct Command: Decodable {
        let superCommands: [String]?
        let shouldDisplay: Bool
        let commandName: String
        let abstract, discussion: String?
        let subcommands: [Command]?
        let arguments: [Argument]?
        let exactlyOneOf: [String]?
        let reports: [Report]?
    }

    private struct Report: Decodable, Equatable { let name, title: String }

    private struct Argument: Decodable {
        enum Kind: String, Decodable { case positional, option, flag }
        enum Strategy: String, Decodable { case `default`, allRemainingInput }
        enum Completion: Decodable, Equatable {
            case list(values: [String])
            case file(extensions: [String])
        }
        struct Name: Decodable, Equatable {
            enum Kind: String, Decodable { case long, short, longWithSingleDash }
            let kind: Kind
            let name: String
        }

        let kind: Kind
        let shouldDisplay, isOptional, isRepeating: Bool
        let parsingStrategy: Strategy
        let names: [Name]?
        let preferredName: Name?
        let valueName, defaultValue, abstract: String?
        let allValues: [String]?
        let completionKind: Completion?
        let rules: [Rule]?

        struct Rule: Decodable {
            let value: String?
            let excludes, needsOneOf: [String]?
        }
    }

    private static func dump() throws -> Tool {
        let run = try ToolRun("--dump-help")
        #expect(run.status == .success && run.error == "")
        return try JSONDecoder().decode(Tool.self, from: Data(run.output.utf8))
    }

    @Test func eachCommandAndOptionIsThere() throws {
        let tool = try Self.dump()
        #expect(tool.serializationVersion == 0 && tool.command.commandName == "scenario")
        let names = tool.command.arguments?.map { "--\($0.preferredName?.name ?? "")" }
        expect(names, equals: ToolDefinition.options.map(\.name))
        let commands = tool.command.subcommands ?? []
        expect(commands.map(\.commandName), equals: ScenarioTool.commands.map(\.name))
        expect(commands.filter { !$0.shouldDisplay }.map(\.commandName), equals: ["complete"])
        for (command, definition) in zip(commands, ScenarioTool.commands) {
            #expect(command.superCommands == ["scenario"] && command.abstract == definition.summary)
            expect(command.discussion ?? "", equals: definition.paragraphs.joined(separator: "\n\n"))
            let arguments = command.arguments ?? []
            let operands = arguments.filter { $0.kind == .positional }
            expect(operands.map(\.valueName), equals: [definition.operands?.placeholder].filter { $0 != nil })
            #expect(operands.allSatisfy { $0.isOptional == (definition.operands?.minimum == 0) && $0.names == nil })
            let options = arguments.filter { $0.kind != .positional }
            expect(options.map(\.abstract), equals: definition.allOptions.map(\.summary))
            for (option, expected) in zip(options, definition.allOptions) {
                let name = try #require(option.preferredName)
                #expect("--\(name.name)" == expected.name && name.kind == .long)
                let short = expected.letter.map { [Argument.Name(kind: .short, name: String($0))] } ?? []
                expect(option.names, equals: short + [name])
                #expect((option.kind == .flag) == (expected.isSwitch) && option.isOptional)
                expect((option.valueName == nil), equals: (expected.isSwitch))
                expect(option.isRepeating, equals: expected.isRepeatable)
            }
        }
    }

    @Test func valuesAreListed() throws {
        let commands = try Self.dump().command.subcommands ?? []
        func argument(_ name: String, of command: String) throws -> Argument {
            try #require(
                commands.first { $0.commandName == command }?.arguments?.first {
                    $0.preferredName?.name == name || $0.valueName == name
                })
        }
        let top = try #require(try argument("top", of: "replay").rules?.first)
        #expect(top.needsOneOf == ["--count"] && top.excludes == nil && top.value == nil)
        let count = try #require(try argument("count", of: "replay").rules?.first)
        expect(count.excludes, equals: ["--format openmetrics"])
        try expect(argument("format", of: "prove").rules?.first?.value, equals: "jsonl")
        let reports = commands.first { $0.commandName == "merge" }?.reports
        let kinds = [Report(name: "report", title: "Report"), Report(name: "comparison", title: "Comparison")]
        expect(reports, equals: kinds)
        #expect(commands.first { $0.commandName == "serve" }?.reports == nil)
        let choices = commands.first { $0.commandName == "prove" }?.exactlyOneOf
        expect(choices, equals: ["--change", "--changes", "--policy", "--candidate"])
        let role = try argument("role", of: "approov")
        expect(role.allValues, equals: ["dev", "admin", "delegate", "automation"])
        expect(role.completionKind, equals: .list(values: ["dev", "admin", "delegate", "automation"]))
        try expect(argument("account", of: "replay").completionKind, equals: .file(extensions: []))
        try expect(argument("SHELL", of: "completion").allValues, equals: ["bash", "zsh", "fish"])
        let path = try argument("PATH", of: "run")
        #expect(path.isRepeating && path.defaultValue == scenario.Command.run.operands?.fallback)
        try expect(argument("COMMAND", of: "approov").parsingStrategy, equals: .allRemainingInput)
    }
}
