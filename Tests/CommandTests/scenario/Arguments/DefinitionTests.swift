import Foundation
import Testing

@testable import TestSupport
@testable import scenario

struct DefinitionTests {
    static let commands = ScenarioTool.commands

    @Test func everyCommandOfTheSourcesIsInTheTable() throws {
        let sources = Repository.root.appending(path: "Sources/scenario")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        let declared = try #require(files).flatMap { file in
            try String(contentsOf: file, encoding: .utf8)
                .matches(of: /\s=\sCommand\(\s*"(\w+)"/).map { String($0.output.1) }
        }
        expect(declared.sorted(), equals: ScenarioTool.commands.map(\.name).sorted())
    }

    @Test func everyCommandHasANameOfItsOwn() {
        expect(Set(Self.commands.map(\.name)).count, equals: Self.commands.count)
    }

    // Only an operand that may be missing can have a fallback.
    @Test(arguments: commands) func operandsThatMayBeMissingHaveTheFallback(_ command: scenario.Command) {
        guard let operands = command.operands, operands.kind == .files else { return }
        #expect(operands.fallback == nil || operands.minimum == 0)
    }

    @Test(arguments: commands) func optionsAreNamedOnceAndWithTwoDashes(_ command: scenario.Command) {
        let names = command.allOptions.map(\.name)
        expect(Set(names).count, equals: names.count)
        #expect(names.allSatisfy { $0.hasPrefix("--") && !$0.contains("=") && $0.count > 3 })
    }

    @Test(arguments: commands) func wordsOfOptionsDiffer(_ command: scenario.Command) {
        let words = command.allOptions.flatMap { [$0.name, $0.short, $0.formerName].compactMap(\.self) }
        expect(Set(words).count, equals: words.count)
    }

    @Test func aLetterMeansTheSameEverywhere() {
        let options = Self.commands.flatMap(\.allOptions) + ToolDefinition.options
        let letters = Set(options.compactMap { option in option.short.map { "\($0) \(option.name)" } })
        expect(
            letters.sorted(),
            equals: [
                "-V --version", "-a --account", "-f --format", "-h --help", "-o --output", "-q --quiet",
            ])
        let names = Set(letters.map { $0.dropFirst(3) })
        #expect(options.allSatisfy { ($0.short != nil) == names.contains($0.name[...]) })
    }

    // A name that no option has any more would be a rule that never holds.
    @Test func rulesAreAboutOptionsOfTheSameCommand() {
        let options = Dictionary(grouping: Self.commands.flatMap(\.options), by: \.name)
        for (name, declared) in options {
            let commands = Self.commands.filter { $0.options.contains { $0.name == name } }
            for other in declared.flatMap(\.relations).flatMap(\.others) {
                #expect(commands.contains { $0.options.contains { $0.name == other.name } }, "\(name) \(other.name)")
            }
        }
    }

    @Test(arguments: commands) func summariesAreSentences(_ command: scenario.Command) {
        let summaries =
            command.allOptions.map(\.summary) + command.examples.map(\.summary)
            + [command.summary, command.operands?.summary].compactMap { $0 }
        #expect(summaries.allSatisfy { $0.hasSuffix(".") })
    }

    @Test func replayReadsWhatAShellHandsOver() throws {
        let changes = ["policy -set default,allow-root,risk", "-leading dash"]
        let arguments = ["a.txt", "--timezone=-05:00", "--change", changes[0], "--change=\(changes[1])", "b.txt"]
        let parsed = try ArgumentParser.parse(arguments, for: .replay)
        expect(parsed.operands, equals: ["a.txt", "b.txt"])
        expect(parsed[Options.timezone], equals: "-05:00")
        expect(parsed[Options.change], equals: changes)
    }

    @Test func commandsAreFoundByName() throws {
        expect(try ScenarioTool.definition.command(named: "run").name, equals: "run")
    }

    @Test func exitStatusesKeepTheirNumbers() {
        expect(ExitStatus.allCases.map(\.rawValue), equals: [0, 1, 2, 3, 4, 5, 6, 70, 71])
    }

    // A new option has to be placed: does its value name a file that the command reads, or one that it writes?
    @Test func optionsThatNameFilesSayWhatBecomesOfThem() {
        let uses = Self.commands.flatMap(\.options).compactMap { option in
            option.shape?.file.map { (use: "\($0)", name: option.name) }
        }
        let byUse = Dictionary(grouping: uses, by: \.use).sorted { $0.key < $1.key }
        let lines = byUse.map { "\($0.key): \(Set($0.value.map(\.name)).sorted().joined(separator: " "))" }
        expect(
            lines.joined(separator: "\n"),
            equals: """
                reads: --assumptions --backends --baseline --changes --fetches --labels --population --redact-key --since --token
                readsAccount: --account --affected-by --candidate
                writes: --decisions --log --malformed --outbox --output --partial --printed --state --tokens
                """)
        expect(Set(uses.map(\.name)).count, equals: Set(uses.map { "\($0.use) \($0.name)" }).count)
    }
}

extension scenario.Command: CustomTestStringConvertible {
    /// The name: all of it would be a page.
    public var testDescription: String { name }
}
