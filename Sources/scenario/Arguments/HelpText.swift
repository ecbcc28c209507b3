internal import Documents
internal import PolicyEngine
internal import Reports

/// The help of a command that a word asks for.
enum HelpRequest: Sendable {
    /// The names of its options, on one screen.
    case short
    /// All that there is to say.
    case full

    /// - Parameter word: A word of a command line; `nil` if it asks for no help.
    init?(_ word: some StringProtocol) {
        guard Options.help.isCalled(word) else { return nil }
        self = word == Options.help.name ? .full : .short
    }
}

/// Renders help from the definitions that also drive the parser.
enum HelpText {
    /// The widest label column; a longer label has a line of its own.
    private static let labelLimit = 36

    private static let indent = "  "

    /// The help of the tool: its commands, the options that may be typed instead of one, and the exit statuses.
    ///
    /// - Parameter width: The longest line, in characters.
    /// - Returns: Whole lines, the last one with its line feed.
    static func text(for tool: ToolDefinition, width: Int = TerminalChoice.usualWidth) -> String {
        let groups = tool.groups.map { group in (group.title, group.listed.map { HelpRow($0) }) }
        let column = columnWidth(groups.flatMap(\.1))
        return page(
            [tool.summary.wrapped(to: width), ["Usage: \(tool.name) <command> [options] [arguments]"]]
                + groups.map { section($0.0, $0.1, width, column: column) }
                + [
                    section("Options", rows(of: ToolDefinition.options, among: ToolDefinition.options), width),
                    section("Exit status", ExitStatus.allCases.map { HelpRow($0) }, width),
                    "`\(tool.name) help COMMAND` says more about a command.".wrapped(to: width),
                ])
    }

    /// The help of one command that was asked for.
    ///
    /// - Parameter width: The longest line, in characters.
    /// - Returns: Whole lines, the last one with its line feed.
    static func text(
        for command: Command, of tool: ToolDefinition, _ help: HelpRequest = .full,
        width: Int = TerminalChoice.usualWidth
    ) -> String {
        let head = [command.summary.wrapped(to: width), [usage(of: command, tool: tool)]]
        switch help {
        case .short: return page(head + names(of: command.allOptions, width) + [more(command, tool, width)])
        case .full:
            let all = grouped(command.allOptions).map { ($0.title, rows(of: $0.options, among: command.allOptions)) }
            let column = columnWidth(all.flatMap(\.1))
            return page(
                head + [section("Arguments", [command.operands].compactMap { $0 }.map { HelpRow($0) }, width)]
                    + all.map { section($0.0, $0.1, width, column: column) }
                    + [command.choice?.sentence.wrapped(to: width) ?? []]
                    + command.paragraphs.map { $0.wrapped(to: width) } + [examples(command.examples, width)])
        }
    }

    /// The keys of a kind of file, those of a mapping below its own.
    ///
    /// - Parameter width: The longest line, in characters.
    static func text(for keys: [DescribedKey], width: Int) -> String {
        page([section("Keys", keys.map { HelpRow($0) }, width)])
    }

    // The options of each group one after another, with what follows their names unless that is a list of words.
    private static func names(of options: [OptionDefinition], _ width: Int) -> [[String]] {
        grouped(options).map { group in
            let items = group.options.map { option in
                let name = option.shape?.choices == nil ? option.label : option.name
                return (option.short.map { "\($0), " } ?? "") + name
            }
            return ["\(group.title):"] + wrapped(items, to: width - indent.count).map { indent + $0 }
        }
    }

    // Breaks lines between items alone.
    private static func wrapped(_ items: [String], to width: Int) -> [String] {
        items.reduce(into: []) { lines, item in
            if let last = lines.last, last.count + gap.count + item.count <= width {
                lines[lines.count - 1] += gap + item
            } else {
                lines.append(item)
            }
        }
    }

    private static let gap = "   "

    private static func more(_ command: Command, _ tool: ToolDefinition, _ width: Int) -> [String] {
        "`\(tool.name) help \(command.name)` says what each of them does.".wrapped(to: width)
    }

    // The options by their groups; few of them are one group.
    private static func grouped(_ options: [OptionDefinition]) -> [(title: String, options: [OptionDefinition])] {
        guard options.count > fewest else { return [("Options", options)] }
        return OptionGroup.allCases.compactMap { group in
            let members = options.filter { $0.group == group }
            return members.isEmpty ? nil : (group.rawValue, members)
        }
    }

    // The greatest number of options that need no groups.
    private static let fewest = 8

    // The names of all options are below each other, whether or not a letter comes first.
    private static func rows(of options: [OptionDefinition], among all: [OptionDefinition]) -> [HelpRow] {
        let hasLetters = all.contains { $0.letter != nil }
        return options.map { HelpRow($0, among: all, hasLetters: hasLetters) }
    }

    private static func usage(of command: Command, tool: ToolDefinition) -> String {
        let parts = [tool.name, command.name, "[options]", command.operands?.label].compactMap { $0 }
        return "Usage: \(parts.joined(separator: " "))"
    }

    /// Joins blocks of lines by blank lines; empty blocks leave nothing behind.
    private static func page(_ blocks: [[String]]) -> String {
        let texts = blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
        return texts.joined(separator: "\n\n") + "\n"
    }

    private static func section(_ title: String, _ rows: [HelpRow], _ width: Int, column: Int? = nil) -> [String] {
        guard !rows.isEmpty else { return [] }
        let column = column ?? columnWidth(rows)
        return ["\(title):"] + rows.flatMap { lines(of: $0, labelWidth: column, width) }
    }

    private static func columnWidth(_ rows: [HelpRow]) -> Int {
        rows.map(\.label.count).filter { $0 <= labelLimit }.max() ?? 0
    }

    private static func lines(of row: HelpRow, labelWidth: Int, _ width: Int) -> [String] {
        let texts = row.text.wrapped(to: width - labelWidth - 2 * indent.count)
        let column = String(repeating: " ", count: labelWidth)
        let below = texts.map { indent + column + indent + $0 }
        guard row.label.count <= labelWidth, let first = texts.first else { return [indent + row.label] + below }
        return [indent + row.label.padded(to: labelWidth) + indent + first] + below.dropFirst()
    }

    private static func examples(_ examples: [CommandExample], _ width: Int) -> [String] {
        guard !examples.isEmpty else { return [] }
        let lines = examples.flatMap { example in
            ["\(indent)\(example.line)"]
                + example.summary.wrapped(to: width - 3 * indent.count).map { "\(indent)\(indent)\(indent)\($0)" }
        }
        return ["Examples:"] + lines
    }
}

/// A line of a help table: words to type, and their effect.
private struct HelpRow {
    /// The words to type.
    let label: String
    /// The effect of these words.
    let text: String

    /// A row for the operands.
    init(_ operands: OperandDefinition) {
        self.init(label: operands.placeholder, text: operands.summary)
    }

    /// A row for an option; where some of the options have letters, the others leave room for one.
    init(_ option: OptionDefinition, among options: [OptionDefinition], hasLetters: Bool) {
        let letter = option.short.map { "\($0), " } ?? (hasLetters ? "    " : "")
        self.init(label: letter + option.label, text: option.text(among: options))
    }

    /// A row for a command.
    init(_ command: Command) {
        self.init(label: command.name, text: command.summary)
    }

    /// A row for a key of a file.
    init(_ key: DescribedKey) {
        self.init(label: String(repeating: "  ", count: key.depth) + key.name, text: key.sentence)
    }

    /// A row for an exit status.
    init(_ status: ExitStatus) {
        self.init(label: String(status.rawValue), text: status.meaning)
    }

    private init(label: String, text: String) {
        (self.label, self.text) = (label, text)
    }
}

extension String {
    /// Breaks the text between words; a word that is too long has a line of its own.
    ///
    /// - Parameter width: The longest line, in characters.
    /// - Returns: The lines without their line feeds; none for blank text.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// The text with spaces behind it up to a width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}

/// Everything that can be typed as JSON, of the shape that swift-argument-parser writes by `--experimental-dump-help`
/// (`ToolInfoV0`), so that what reads that form reads this one.
enum ToolDump {
    /// The whole document.
    static func text(of tool: ToolDefinition) -> String {
        let commands = tool.commands.map { command($0, of: tool) }
        let root: [Member] =
            names(tool.name, tool.summary) + [("subcommands", .array(commands))]
            + arguments(ToolDefinition.options.map { argument($0) })
        return JSONValue.ordered([("serializationVersion", .integer(0)), ("command", .ordered(root))]).indented()
    }

    private typealias Member = (key: String, value: JSONValue)

    private static func names(_ name: String, _ summary: String, isHidden: Bool = false) -> [Member] {
        [("shouldDisplay", .boolean(!isHidden)), ("commandName", .string(name)), ("abstract", .string(summary))]
    }

    private static func command(_ command: Command, of tool: ToolDefinition) -> JSONValue {
        let discussion = command.paragraphs.joined(separator: "\n\n")
        var members: [Member] = [("superCommands", .array([.string(tool.name)]))]
        members += names(command.name, command.summary, isHidden: command.isHidden)
        if !discussion.isEmpty { members.append(("discussion", .string(discussion))) }
        if let choice = command.choice { members.append(("exactlyOneOf", words(choice.options.map(\.name)))) }
        let reports = command.reports.map { kind in
            JSONValue.ordered([("name", .string(kind.name)), ("title", .string(kind.title))])
        }
        if !reports.isEmpty { members.append(("reports", .array(reports))) }
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

    private static func argument(_ option: OptionDefinition, of command: Command? = nil) -> JSONValue {
        let word = String(option.name.dropFirst(2))
        let long = name("long", word)
        // The words of a choice are in a member of their own.
        let value: [Member] =
            option.shape.map { shape in
                [("valueName", .string(shape.choices == nil ? shape.placeholder : word))] + values(shape.words)
            } ?? []
        let short = option.letter.map { [name("short", String($0))] } ?? []
        let kind = option.isSwitch ? "flag" : "option"
        var members = form(kind, isOptional: true, isRepeating: option.isRepeatable)
        members += [("names", .array(short + [long])), ("preferredName", long)]
        members += value
        members += rules(option.relations, among: Set(command?.options.map(\.name) ?? []))
        members += [("abstract", .string(option.summary)), ("group", .string(option.group.rawValue))]
        return .ordered(members)
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
            return [("allValues", list), ("completionKind", .ordered([("list", .ordered([("values", list)]))]))]
        case .files: return [("completionKind", .ordered([("file", .ordered([("extensions", .array([]))]))]))]
        case .unknown, .flags, .attributes, .policies, .commands: return []
        }
    }
}
