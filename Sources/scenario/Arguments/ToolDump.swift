internal import PolicyEngine

/// Everything that can be typed as JSON, of the shape that swift-argument-parser writes by `--experimental-dump-help`
/// (`ToolInfoV0`), so that what reads that form reads this one.
enum ToolDump {
    /// The whole document.
    static func text(of tool: ToolDefinition) -> String {
        let commands = tool.commands.map { command($0.definition, of: tool) }
        let root: [Member] =
            names(tool.name, tool.summary) + [("subcommands", .array(commands))]
            + arguments(ToolDefinition.options.map(argument))
        return JSONValue.ordered([("serializationVersion", .integer(0)), ("command", .ordered(root))]).indented()
    }

    private typealias Member = (key: String, value: JSONValue)

    private static func names(_ name: String, _ summary: String, isHidden: Bool = false) -> [Member] {
        [("shouldDisplay", .boolean(!isHidden)), ("commandName", .string(name)), ("abstract", .string(summary))]
    }

    private static func command(_ command: CommandDefinition, of tool: ToolDefinition) -> JSONValue {
        let discussion = command.discussion.joined(separator: "\n\n")
        return .ordered(
            [("superCommands", .array([.string(tool.name)]))]
                + names(command.name, command.summary, isHidden: command.isHidden)
                + (discussion.isEmpty ? [] : [("discussion", .string(discussion))])
                + arguments([command.operands].compactMap { $0.map(argument) } + command.allOptions.map(argument)))
    }

    private static func arguments(_ arguments: [JSONValue]) -> [Member] { [("arguments", .array(arguments))] }

    private static func argument(_ operands: OperandDefinition) -> JSONValue {
        let strategy = operands.kind == .commandLine ? "allRemainingInput" : "default"
        return .ordered(
            form("positional", isOptional: operands.minimum == 0, isRepeating: operands.maximum != 1, strategy)
                + [("valueName", .string(operands.placeholder))]
                + (operands.fallback.map { [("defaultValue", .string($0))] } ?? [])
                + values(operands.words) + [("abstract", .string(operands.summary))])
    }

    private static func argument(_ option: OptionDefinition) -> JSONValue {
        let word = String(option.name.dropFirst(2))
        let name = JSONValue.ordered([("kind", .string("long")), ("name", .string(word))])
        let value: [Member] =
            switch option.value {
            case .nothing: []
            case .choice: [("valueName", .string(word))]
            default: [("valueName", .string(option.value.placeholder ?? word))]
            }
        return .ordered(
            form(option.value == .nothing ? "flag" : "option", isOptional: true, isRepeating: option.isRepeatable)
                + [("names", .array([name])), ("preferredName", name)] + value + values(option.value.words)
                + [("abstract", .string(option.summary))])
    }

    private static func form(
        _ kind: String, isOptional: Bool, isRepeating: Bool, _ strategy: String = "default"
    ) -> [Member] {
        [
            ("kind", .string(kind)), ("shouldDisplay", .boolean(true)), ("isOptional", .boolean(isOptional)),
            ("isRepeating", .boolean(isRepeating)), ("parsingStrategy", .string(strategy)),
        ]
    }

    private static func values(_ words: WordList) -> [Member] {
        switch words {
        case .words(let words):
            let list = JSONValue.array(words.map { .string($0) })
            return [
                ("allValues", list), ("completionKind", .ordered([("list", .ordered([("values", list)]))])),
            ]
        case .files: return [("completionKind", .ordered([("file", .ordered([("extensions", .array([]))]))]))]
        case .unknown, .flags, .policies, .commands: return []
        }
    }
}
