import Foundation
import Testing

@testable import TestSupport
@testable import scenario

struct HelpTextTests {
    static let tool = ToolDefinition(
        name: "tool",
        summary: "Does this and that.",
        groups: [CommandGroup(title: "Commands", commands: [SampleCommand.self])] + ScenarioTool.definition.groups
    )

    @Test func helpOfACommandFollowsItsDefinition() {
        #expect(
            HelpText.text(for: .sample, of: Self.tool) == """
                Does nothing.

                Usage: tool sample [options] [PATH…]

                Arguments:
                  PATH  Something to read.

                Options:
                  -o, --output FILE       Write to FILE.
                      --tag T             Select T. May be given more than once.
                      --format text|json  Choose a form.
                      --count N           Do it N times.
                      --verbose           Say more. Not with --count or --format json.
                      --draft             Write a draft. Needs --output.
                  -q, --quiet             Show nothing but results and errors: no warnings, no
                                          progress.
                  -h, --help              Show this help.

                There is nothing to say.

                Nothing at all.

                Examples:
                  tool sample --verbose
                      Does nothing, verbosely.

                """
        )
    }

    @Test func helpOfTheToolListsItsCommands() {
        let sample = ToolDefinition(
            name: "tool",
            summary: "Does this and that.",
            groups: [CommandGroup(title: "Samples", commands: [SampleCommand.self])])
        #expect(
            HelpText.text(for: sample, width: 100) == """
                Does this and that.

                Usage: tool <command> [options] [arguments]

                Samples:
                  sample  Does nothing.

                Options:
                  -h, --help       Show this help.
                  -V, --version    Show the version.
                      --dump-help  Write commands and options as JSON, for other programs.

                Exit status:
                  0   Success: every expectation was met, and no limit was exceeded.
                  1   An expectation or `approov api -check` failed, or `lint --strict` has warnings.
                  2   A scenario, an account or a capture is invalid, or a file cannot be read or written.
                  3   The command line is wrong; nothing was read and nothing was done.
                  4   A limit was exceeded: more changed, or less was covered, than the caller allows; or `prove`
                      found a device, or `search` no edits.
                  5   Nothing ran, nothing was evaluated, or nothing was asserted: no scenario, an empty folder, a
                      selection that matches nothing, or scenarios none of which expects anything.
                  6   A question of `prove` or `search` has no answer: it took too long, or it cannot be decided.
                  70  A fault of this program, independent of the input.
                  71  There is not enough memory for the command.

                `tool help COMMAND` says more about a command.

                """
        )
    }

    @Test(arguments: tool.commands.map { $0.definition }) func noLineIsTooLong(_ command: CommandDefinition) {
        for width in [TerminalChoice.leastWidth, TerminalChoice.usualWidth, TerminalChoice.greatestWidth] {
            // A label or an example that is too long stays whole.
            let help = HelpText.text(for: command, of: Self.tool, width: width)
            let lines = help.split(separator: "\n").filter {
                $0.split(separator: " ").count > 3 && !$0.contains("scenario ")
            }
            #expect(lines.allSatisfy { $0.count <= width && $0.last != " " }, "\(lines.filter { $0.count > width })")
        }
    }

    @Test func longTextsContinueInTheirColumn() {
        let long = OptionDefinition("--long", String(repeating: "word ", count: 40))
        let command = CommandDefinition(name: "sample", summary: "Does nothing.", options: [long])
        let lines = HelpText.text(for: command, of: Self.tool, width: 100).split(separator: "\n").filter {
            $0.contains("word")
        }
        #expect(lines.map(\.count) == [99, 99, 44])
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("               word") })
    }

    @Test func wordsAreWrappedAndNeverCut() {
        #expect("aa bb cc".wrapped(to: 5) == ["aa bb", "cc"])
        #expect("a bbbbbb c".wrapped(to: 3) == ["a", "bbbbbb", "c"])
        #expect(" \n ".wrapped(to: 3).isEmpty)
    }
}

@Suite struct HelpTests {
    private static func help(_ command: any ToolCommand.Type) -> String {
        HelpText.text(for: command.definition, of: ScenarioTool.definition)
    }

    static let rows =
        ScenarioTool.commands.map { Case([$0.definition.name, "--help"], gives: help($0)) } + [
            Case(["--help"], gives: HelpText.text(for: ScenarioTool.definition)),
            Case(["-h"], gives: HelpText.text(for: ScenarioTool.definition)),
            Case(["help"], gives: HelpText.text(for: ScenarioTool.definition)),
            Case(["--version"], gives: "scenario 1.0.0\n"),
            Case(["-V"], gives: "scenario 1.0.0\n"),
            Case(["help", "diff"], gives: help(DiffCommand.self)),
            Case(["diff", "day.txt", "-h"], gives: help(DiffCommand.self)),
            Case(["approov", "-a", "x.yaml", "-h", "policy", "-get"], gives: help(ApproovCommand.self)),
            Case(["approov", "--account", "x.yaml", "--help", "policy", "-get"], gives: help(ApproovCommand.self)),
            Case(["replay", "missing.txt", "--nonsense", "--help"], gives: help(ReplayCommand.self)),
        ]

    @Test(arguments: rows) func goesToStandardOutput(_ row: Case<[String], String>) throws {
        let run = try ToolRun(row.input).ending(.success)
        #expect(run.output == row.expected)
        #expect(run.error == "")
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

    @Test func everyCommandIsListedInItsGroup() throws {
        let help = try ToolRun("--help").output
        let groups = ["Try a change", "Regression", "Streams", "The service", "Tools"]
        #expect(ScenarioTool.definition.groups.map(\.title) == groups)
        for group in ScenarioTool.definition.groups {
            let lines = try #require(help.split(separator: "\n\n").first { $0.hasPrefix("\(group.title):\n") })
            for command in group.listed { #expect(lines.contains("\n  \(command.name) ")) }
        }
    }

    @Test func helpOfAnUnknownCommandIsRefused() throws {
        let run = try ToolRun(["help", "dif"])
        #expect(run.status == .usage && run.output == "")
        #expect(run.error == "scenario: error: unknown command `dif`; did you mean `diff`?\n")
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
    }

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
        #expect(names == ToolDefinition.options.map(\.name))
        let commands = tool.command.subcommands ?? []
        #expect(commands.map(\.commandName) == ScenarioTool.commands.map { $0.definition.name })
        #expect(commands.filter { !$0.shouldDisplay }.map(\.commandName) == ["complete"])
        for (command, type) in zip(commands, ScenarioTool.commands) {
            let definition = type.definition
            #expect(command.superCommands == ["scenario"] && command.abstract == definition.summary)
            #expect(command.discussion ?? "" == definition.discussion.joined(separator: "\n\n"))
            let arguments = command.arguments ?? []
            let operands = arguments.filter { $0.kind == .positional }
            #expect(operands.map(\.valueName) == [definition.operands?.placeholder].filter { $0 != nil })
            #expect(operands.allSatisfy { $0.isOptional == (definition.operands?.minimum == 0) && $0.names == nil })
            let options = arguments.filter { $0.kind != .positional }
            #expect(options.map(\.abstract) == definition.allOptions.map(\.summary))
            for (option, expected) in zip(options, definition.allOptions) {
                let name = try #require(option.preferredName)
                #expect("--\(name.name)" == expected.name && name.kind == .long)
                let short = expected.letter.map { [Argument.Name(kind: .short, name: String($0))] } ?? []
                #expect(option.names == short + [name])
                #expect((option.kind == .flag) == (expected.value == .nothing) && option.isOptional)
                #expect((option.valueName == nil) == (expected.value == .nothing))
                #expect(option.isRepeating == expected.isRepeatable)
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
        #expect(count.excludes == ["--format openmetrics"])
        #expect(try argument("format", of: "prove").rules?.first?.value == "jsonl")
        let choices = commands.first { $0.commandName == "prove" }?.exactlyOneOf
        #expect(choices == ["--change", "--changes", "--policy", "--candidate"])
        let role = try argument("role", of: "approov")
        #expect(role.allValues == ["dev", "admin", "delegate", "automation"])
        #expect(role.completionKind == .list(values: ["dev", "admin", "delegate", "automation"]))
        #expect(try argument("account", of: "replay").completionKind == .file(extensions: []))
        #expect(try argument("SHELL", of: "completion").allValues == ["bash", "zsh", "fish"])
        let path = try argument("PATH", of: "run")
        #expect(path.isRepeating && path.defaultValue == RunCommand.definition.operands?.fallback)
        #expect(try argument("COMMAND", of: "approov").parsingStrategy == .allRemainingInput)
    }
}
