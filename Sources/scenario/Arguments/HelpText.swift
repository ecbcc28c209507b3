/// Renders help from the definitions that also drive the parser.
enum HelpText {
    /// The longest line, in characters.
    static let width = 100

    private static let indent = "  "

    /// The help of the tool: its commands and the options that stand in place of one.
    ///
    /// - Returns: Whole lines, the last one with its line feed.
    static func text(for tool: ToolDefinition) -> String {
        page([
            tool.summary.wrapped(to: width),
            ["Usage: \(tool.name) <command> [options] [arguments]"],
            section("Commands", tool.commands.map { HelpRow($0) }),
            section("Options", ToolDefinition.options.map { HelpRow($0) }),
            "`\(tool.name) <command> --help` says more about a command.".wrapped(to: width),
        ])
    }

    /// The help of one command.
    ///
    /// - Returns: Whole lines, the last one with its line feed.
    static func text(for command: CommandDefinition, of tool: ToolDefinition) -> String {
        page(
            [
                command.summary.wrapped(to: width),
                [usage(of: command, tool: tool)],
                section("Arguments", [command.operands].compactMap { $0 }.map { HelpRow($0) }),
                section("Options", command.allOptions.map { HelpRow($0) }),
            ]
                + command.discussion.map { $0.wrapped(to: width) }
                + [examples(command.examples)]
        )
    }

    private static func usage(of command: CommandDefinition, tool: ToolDefinition) -> String {
        let parts = [tool.name, command.name, "[options]", command.operands?.label].compactMap { $0 }
        return "Usage: \(parts.joined(separator: " "))"
    }

    /// Joins blocks of lines by blank lines; empty blocks leave nothing behind.
    private static func page(_ blocks: [[String]]) -> String {
        let texts = blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
        return texts.joined(separator: "\n\n") + "\n"
    }

    private static func section(_ title: String, _ rows: [HelpRow]) -> [String] {
        guard let longest = rows.map(\.label.count).max() else { return [] }
        return ["\(title):"] + rows.flatMap { lines(of: $0, labelWidth: longest) }
    }

    private static func lines(of row: HelpRow, labelWidth: Int) -> [String] {
        let texts = row.text.wrapped(to: width - labelWidth - 2 * indent.count)
        let labels = [row.label] + Array(repeating: "", count: max(0, texts.count - 1))
        return zip(labels, texts).map { label, text in indent + label.padded(to: labelWidth) + indent + text }
    }

    private static func examples(_ examples: [CommandExample]) -> [String] {
        guard !examples.isEmpty else { return [] }
        let lines = examples.flatMap { example in
            ["\(indent)\(example.line)"]
                + example.summary.wrapped(to: width - 3 * indent.count).map { "\(indent)\(indent)\(indent)\($0)" }
        }
        return ["Examples:"] + lines
    }
}
