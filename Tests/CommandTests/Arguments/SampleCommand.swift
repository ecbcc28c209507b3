import Testing

@testable import scenario

/// A command that does nothing, with an option of every kind.
enum SampleCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "sample",
        summary: "Does nothing.",
        operands: OperandDefinition(
            placeholder: "PATH", summary: "Something to read.", kind: .files, minimum: 0, maximum: nil),
        options: [.sampleOutput, .sampleTag, .sampleFormat, .sampleCount, .sampleVerbose],
        discussion: ["There is nothing to say.", "Nothing at all."],
        examples: [CommandExample(line: "tool sample --verbose", summary: "Does nothing, verbosely.")]
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
    static let sampleOutput = OptionDefinition(name: "--output", value: .file(.writes), summary: "Write to FILE.")
    static let sampleTag = OptionDefinition(
        name: "--tag", value: .text(placeholder: "T"), summary: "Select T.", isRepeatable: true)
    static let sampleFormat = OptionDefinition(
        name: "--format", value: .choice(of: SampleFormat.self), summary: "Choose a form.")
    static let sampleCount = OptionDefinition(
        name: "--count", value: .integer(placeholder: "N", in: 1...8), summary: "Do it N times.")
    static let sampleVerbose = OptionDefinition(name: "--verbose", summary: "Say more.")
}
