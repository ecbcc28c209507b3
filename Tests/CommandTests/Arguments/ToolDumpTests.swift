import Foundation
import Testing

@testable import scenario

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
    }

    private static func dump() throws -> Tool {
        let run = try ToolRun(["--dump-help"])
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
                #expect("--\(name.name)" == expected.name && name.kind == .long && option.names == [name])
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
