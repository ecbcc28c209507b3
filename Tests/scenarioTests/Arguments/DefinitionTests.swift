import Foundation
import Testing

@testable import scenario

struct DefinitionTests {
    static let commands = ScenarioTool.commands.map { $0.definition }

    @Test func everyCommandOfTheSourcesIsInTheTable() throws {
        let sources = GoldenCase.tests.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/scenario")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        let declared = try #require(files).flatMap { file in
            try String(contentsOf: file, encoding: .utf8)
                .matches(of: /(?:enum|struct) (\w+): [^{\n]*\bToolCommand\b/).map { String($0.output.1) }
        }
        #expect(declared.sorted() == ScenarioTool.commands.map { "\($0)" }.sorted())
    }

    @Test func everyCommandHasANameOfItsOwn() {
        #expect(Set(Self.commands.map(\.name)).count == Self.commands.count)
    }

    // Only an operand that may be missing can have a fallback.
    @Test(arguments: commands) func operandsThatMayBeMissingHaveTheFallback(_ command: CommandDefinition) {
        guard let operands = command.operands, operands.kind == .files else { return }
        #expect(operands.fallback == nil || operands.minimum == 0)
    }

    @Test(arguments: commands) func optionsAreNamedOnceAndWithTwoDashes(_ command: CommandDefinition) {
        let names = command.allOptions.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("--") && !$0.contains("=") && $0.count > 3 })
    }

    @Test(arguments: commands) func wordsOfOptionsDiffer(_ command: CommandDefinition) {
        let words = command.allOptions.flatMap { [$0.name, $0.short, $0.formerName].compactMap(\.self) }
        #expect(Set(words).count == words.count)
    }

    @Test func aLetterMeansTheSameEverywhere() {
        let options = Self.commands.flatMap(\.allOptions) + ToolDefinition.options
        let letters = Set(options.compactMap { option in option.short.map { "\($0) \(option.name)" } })
        #expect(
            letters.sorted() == [
                "-V --version", "-a --account", "-f --format", "-h --help", "-o --output", "-q --quiet",
            ])
        let names = Set(letters.map { $0.dropFirst(3) })
        #expect(options.allSatisfy { ($0.short != nil) == names.contains($0.name[...]) })
    }

    // A name that no option has any more would be a rule that never holds.
    @Test func rulesAreAboutOptionsOfTheSameCommand() {
        let options = Set(Self.commands.flatMap(\.options))
        for option in options where !option.relations.isEmpty {
            let commands = Self.commands.filter { $0.options.contains(option) }
            for other in option.relations.flatMap(\.others) {
                #expect(
                    commands.contains { $0.options.contains { $0.name == other.name } }, "\(option.name) \(other.name)")
            }
        }
    }

    @Test(arguments: commands) func summariesAreSentences(_ command: CommandDefinition) {
        let summaries =
            command.allOptions.map(\.summary) + command.examples.map(\.summary)
            + [command.summary, command.operands?.summary].compactMap { $0 }
        #expect(summaries.allSatisfy { $0.hasSuffix(".") })
    }

    @Test func runTakesItsOptions() {
        #expect(
            RunCommand.definition.allOptions.map(\.label) == [
                "--name REGEX", "--tag T", "--affected-by FILE", "--base REF", "--failed", "--watch",
                "--format text|json|html|openmetrics|junit|tap|github|summary-mail", "--timings", "--output FILE",
                "--decisions FILE", "--printed FILE", "--outbox FILE", "--coverage", "--min-coverage P%", "--mutants",
                "--min-mutants P%", "--update", "--allow-empty", "--series",
                "--step DURATION", "--timezone ZONE", "--jobs N", "--seed N", "--allow-outside", "--verbose",
                "--no-progress",
                "--redact", "--redact-key FILE", "--quiet", "--help",
            ]
        )
    }

    @Test func replayTakesItsOptions() {
        #expect(
            ReplayCommand.definition.allOptions.map(\.label) == [
                "--account FILE", "--policy SPEC", "--change COMMAND", "--fetches FILE",
                "--confidence P%", "--max-unevaluated N|P%",
                "--format text|json|html|csv|csv-long|openmetrics|summary-mail", "--output FILE",
                "--decisions FILE", "--with KEYS",
                "--tokens FILE", "--domain DOMAIN", "--count KEYS", "--top N",
                "--labels FILE", "--cost missed=N,blocked=N[,rejected-unknown=N]", "--series",
                "--step DURATION", "--digests", "--shard K/N", "--partial FILE", "--jobs N", "--redact",
                "--redact-key FILE",
                "--skip-malformed", "--malformed FILE", "--sort", "--timezone ±hh:mm|ZONE",
                "--input-format info|fetches|jsonl|arrow", "--no-progress", "--quiet", "--help",
            ]
        )
    }

    @Test func arcTakesItsOptions() {
        #expect(
            ArcCommand.definition.allOptions.map(\.label) == [
                "--account FILE", "--encode passed|failed", "--quiet", "--help",
            ])
    }

    @Test func approovTakesItsOptions() {
        #expect(
            ApproovCommand.definition.allOptions.map(\.label) == [
                "--account FILE", "--yes", "--role dev|admin|delegate|automation", "--user NAME", "--token FILE",
                "--at INSTANT", "--outbox FILE", "--backends FILE", "--timezone ZONE", "--quiet", "--help",
            ])
    }

    @Test func generateTakesItsOptions() {
        #expect(
            GenerateCommand.definition.allOptions.map(\.label) == [
                "--events N", "--start INSTANT", "--duration TIME", "--format info|jsonl", "--verdicts", "--seed N",
                "--output FILE", "--allow-outside", "--no-progress", "--quiet", "--help",
            ])
    }

    @Test func replayReadsWhatAShellHandsOver() throws {
        let changes = ["policy -set default,allow-root,risk", "-leading dash"]
        let arguments = ["a.txt", "--timezone=-05:00", "--change", changes[0], "--change=\(changes[1])", "b.txt"]
        let parsed = try ArgumentParser.parse(arguments, for: ReplayCommand.definition)
        #expect(parsed.operands == ["a.txt", "b.txt"])
        #expect(parsed.value(of: .timezone) == "-05:00")
        #expect(parsed.values(of: .change) == changes)
    }

    @Test func replayNeedsACapture() {
        let error = #expect(throws: UsageError.self) { try ArgumentParser.parse([], for: ReplayCommand.definition) }
        #expect(error?.description == "`CAPTURE…` is missing; `--help` shows how it is used")
    }

    @Test func commandsAreFoundByName() throws {
        #expect(try ScenarioTool.definition.command(named: "run") == RunCommand.self)
    }

    static let unknownCommands = [
        "repaly": "unknown command `repaly`; did you mean `replay`?",
        "wxyzwxyzwxyz": "unknown command `wxyzwxyzwxyz`; `scenario --help` lists the commands",
        "": "unknown command ``; `scenario --help` lists the commands",
        "--verison": "unknown option `--verison`; did you mean `--version`?",
        "-v": "unknown option `-v`; did you mean `-V`?",
        "-x": "unknown option `-x`; `scenario --help` lists the commands",
        "-o": "`--output` comes after the name of a command; `scenario --help` lists the commands",
        "--quiet": "`--quiet` comes after the name of a command; `scenario --help` lists the commands",
    ]

    @Test(arguments: unknownCommands) func unknownCommandsAreRefused(word: String, message: String) {
        let error = #expect(throws: UsageError.self) { try ScenarioTool.definition.command(named: word) }
        #expect(error?.description == message)
    }

    @Test func exitStatusesKeepTheirNumbers() {
        #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 70, 71])
    }

    // A new option has to be placed: does its value name a file that the command reads, or one that it writes?
    @Test func optionsThatNameFilesSayWhatBecomesOfThem() {
        let uses = Self.commands.flatMap { command in
            command.options.compactMap { option -> String? in
                guard case .file(let use) = option.value else { return nil }
                return "\(command.name) \(option.name) \(use)"
            }
        }
        #expect(
            Set(uses) == [
                "pack --output writes", "pack --malformed writes", "diff --decisions writes", "rollout --labels reads",
                "run --redact-key reads", "run --affected-by readsAccount", "replay --redact-key reads",
                "diff --redact-key reads",
                "explain --redact-key reads", "merge --redact-key reads", "merge --baseline reads",
                "serve --account readsAccount", "serve --log writes", "serve --state writes",
                "serve --population reads",
                "lint --output writes", "run --output writes", "run --decisions writes", "run --printed writes",
                "run --outbox writes",
                "approov --token reads", "approov --backends reads", "approov --outbox writes",
                "replay --account readsAccount", "replay --fetches reads", "replay --output writes",
                "replay --decisions writes", "replay --tokens writes", "replay --malformed writes",
                "replay --partial writes", "diff --partial writes", "merge --output writes",
                "diff --account readsAccount", "diff --changes reads", "diff --candidate readsAccount",
                "diff --fetches reads", "diff --baseline reads", "diff --output writes", "diff --malformed writes",
                "rollout --account readsAccount", "rollout --changes reads", "rollout --candidate readsAccount",
                "rollout --output writes", "rollout --malformed writes",
                "whatif --account readsAccount", "whatif --redact-key reads",
                "whatif --output writes", "whatif --malformed writes",
                "prove --account readsAccount", "prove --changes reads", "prove --candidate readsAccount",
                "prove --output writes", "search --account readsAccount", "search --output writes",
                "search --malformed writes",
                "minimise --account readsAccount", "minimise --changes reads", "minimise --output writes",
                "minimise --malformed writes", "record --account readsAccount", "record --output writes",
                "record --malformed writes", "explain --account readsAccount", "explain --output writes",
                "explain --malformed writes", "explore --account readsAccount", "explore --labels reads",
                "explore --redact-key reads",
                "policy --account readsAccount", "policy --output writes", "approov --account readsAccount",
                "arc --account readsAccount", "generate --output writes", "diff --since reads",
                "compare --account readsAccount", "compare --redact-key reads", "compare --output writes",
                "replay --labels reads", "diff --labels reads", "whatif --labels reads", "search --labels reads",
                "explain --changes reads",
            ])
    }
}

/// A command that does nothing, with an option of every kind.
enum SampleCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "sample",
        summary: "Does nothing.",
        operands: OperandDefinition(
            placeholder: "PATH", summary: "Something to read.", kind: .files, minimum: 0, maximum: nil),
        options: [.sampleOutput, .sampleTag, .sampleFormat, .sampleCount, .sampleVerbose, .sampleDraft],
        discussion: ["There is nothing to say.", "Nothing at all."],
        examples: ["tool sample --verbose": "Does nothing, verbosely."]
    )

    static func run(_ arguments: ParsedArguments, console: Console) -> scenario.ExitStatus { .success }
}

/// The words that the sample command takes after `--format`.
enum SampleFormat: String, CaseIterable {
    case text, json
}

extension CommandDefinition {
    static var sample: CommandDefinition { SampleCommand.definition }
}

extension CommandDefinition: CustomTestStringConvertible {
    /// The name: all of it would be a page.
    public var testDescription: String { name }
}

extension OptionDefinition {
    static let sampleOutput = OptionDefinition("--output", letter: "o", "Write to FILE.", .file(.writes))
    static let sampleTag = OptionDefinition(
        "--tag", "Select T.", .text(placeholder: "T"), formerName: "--label", isRepeatable: true)
    static let sampleFormat = OptionDefinition("--format", "Choose a form.", .choice(of: SampleFormat.self))
    static let sampleCount = OptionDefinition("--count", "Do it N times.", .integer(placeholder: "N", in: 1...8))
    static let sampleVerbose = OptionDefinition(
        "--verbose", "Say more.",
        relations: [.excludes([sampleCount.given, OptionUse("--format", ["json"])], hint: "once is enough")])
    static let sampleDraft = OptionDefinition("--draft", "Write a draft.", relations: [.needs([sampleOutput.given])])
}
