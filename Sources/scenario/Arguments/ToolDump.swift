internal import PolicyEngine

/// Everything that can be typed as JSON, of the shape that swift-argument-parser writes by `--experimental-dump-help`
/// (`ToolInfoV0`), so that what reads that form reads this one.
enum ToolDump {
    /// The whole document.
    static func text(of tool: ToolDefinition) -> String {
        let commands = tool.commands.map { command($0.definition, of: tool) }
        let root: [Member] =
            names(tool.name, tool.summary) + [("subcommands", .array(commands))]
            + arguments(ToolDefinition.options.map { argument($0) })
        return JSONValue.ordered([("serializationVersion", .integer(0)), ("command", .ordered(root))]).indented()
    }

    private typealias Member = (key: String, value: JSONValue)

    private static func names(_ name: String, _ summary: String, isHidden: Bool = false) -> [Member] {
        [("shouldDisplay", .boolean(!isHidden)), ("commandName", .string(name)), ("abstract", .string(summary))]
    }

    private static func command(_ command: CommandDefinition, of tool: ToolDefinition) -> JSONValue {
        let discussion = command.discussion.joined(separator: "\n\n")
        var members: [Member] = [("superCommands", .array([.string(tool.name)]))]
        members += names(command.name, command.summary, isHidden: command.isHidden)
        if !discussion.isEmpty { members.append(("discussion", .string(discussion))) }
        if let choice = command.choice { members.append(("exactlyOneOf", words(choice.options.map(\.name)))) }
        let operands = [command.operands].compactMap { $0.map { argument($0) } }
        return .ordered(members + arguments(operands + command.allOptions.map { argument($0, of: command) }))
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

    private static func argument(_ option: OptionDefinition, of command: CommandDefinition? = nil) -> JSONValue {
        let word = String(option.name.dropFirst(2))
        let long = name("long", word)
        let value: [Member] =
            switch option.value {
            case .nothing: []
            case .choice: [("valueName", .string(word))]
            default: [("valueName", .string(option.value.placeholder ?? word))]
            }
        let short = option.letter.map { [name("short", String($0))] } ?? []
        let kind = option.value == .nothing ? "flag" : "option"
        var members = form(kind, isOptional: true, isRepeating: option.isRepeatable)
        members += [("names", .array(short + [long])), ("preferredName", long)]
        members += value + values(option.value.words)
        members += rules(option.relations, among: Set(command?.options.map(\.name) ?? []))
        return .ordered(members + [("abstract", .string(option.summary))])
    }

    private static func name(_ kind: String, _ word: String) -> JSONValue {
        .ordered([("kind", .string(kind)), ("name", .string(word))])
    }

    // Members beside those of the shape; whoever reads that shape passes over them.
    private static func rules(_ relations: [OptionRelation], among names: Set<String>) -> [Member] {
        let rules = relations.compactMap { relation -> JSONValue? in
            let others = relation.others.filter { names.contains($0.name) }
            guard !others.isEmpty else { return nil }
            let key = relation.kind == .excludes ? "excludes" : "needsOneOf"
            let value: [Member] = relation.value.map { [("value", .string($0))] } ?? []
            return .ordered(value + [(key, words(others.flatMap(\.words)))])
        }
        return rules.isEmpty ? [] : [("rules", .array(rules))]
    }

    private static func words(_ words: [String]) -> JSONValue { .array(words.map { .string($0) }) }

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
        case .unknown, .flags, .attributes, .policies, .commands: return []
        }
    }
}
