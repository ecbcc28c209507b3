internal import Documents
internal import Editor
internal import PolicyEngine
internal import Replay
internal import Reports

/// A command as a question of agents: its options that only ask are arguments, and its report is the answer.
struct AgentQuestion: Sendable {
    private let command: Command
    /// The folders whose files may be named.
    private let folders: [String]
    /// The redactor of all answers; `nil` shows everything.
    private let redactor: Redactor?
    /// The greatest number of bytes of an answer.
    private let limit: Int

    init(_ command: Command, within folders: [String], redactor: Redactor?, limit: Int) {
        (self.command, self.folders, self.redactor, self.limit) = (command, folders, redactor, limit)
    }

    /// The commands that only ask, in the order of the help.
    static let commands: [Command] = [
        .lint, .run, .replay, .compare, .diff, .rollout, .whatif, .search, .prove, .explain, .policy,
    ]

    /// The options that are arguments: those that neither write nor read anything but named files, and show no more.
    private static let options: Set<String> = Set(
        [
            "account", "policy", "change", "changes", "candidate", "at", "fetches", "labels", "cost", "confidence",
            "who", "order", "since", "only", "between", "allow", "seed", "name", "tag", "coverage", "min-coverage",
            "mutants",
            "min-mutants",
            "allow-empty", "strict", "count", "top", "newly-accepted-with", "reject", "keep", "max-edits", "loosest",
            "narrowest-filter", "holdout", "catch", "max-good-blocked", "timeout", "newly", "device", "skip-malformed",
            "sort", "input-format", "max-newly-rejected", "max-newly-accepted", "max-newly-blocked",
            "max-annotations-changed", "max-unevaluated", "keys", "max-drift", "steps", "runs",
        ].map { "--" + $0 })

    private var arguments: [OptionDefinition] { command.options.filter { Self.options.contains($0.name) } }

    // The name of the operands among the arguments.
    private var operandName: String { command.operands?.kind == .files ? "paths" : "words" }

    // MARK: Description

    /// The tool that asks it.
    var tool: AgentTool {
        AgentTool(name: command.name, summary: summary, input: input) { answer(to: $0) }
    }

    private var summary: String {
        ([command.summary] + command.paragraphs + [Self.form]).joined(separator: "\n\n")
    }

    private static let form =
        "The answer is the beginning of the report: its main sentence, and what changes. `detail` gives the whole report as JSON."

    // The argument that asks for the whole report.
    private static let detail = "detail"

    // The greatest number of lines of an answer without it.
    private static let lineLimit = 40

    private var input: JSONValue {
        var properties: [(key: String, value: JSONValue)] = []
        if let operands = command.operands {
            properties.append((operandName, Self.list(of: Self.text, operands.summary)))
        }
        for option in arguments {
            let form = Self.form(of: option)
            let text = JSONValue.string(option.text(among: command.options))
            properties.append(
                (
                    String(option.name.dropFirst(2)),
                    option.isRepeatable
                        ? Self.list(of: form, option.summary) : .ordered(form + [(key: "description", value: text)])
                ))
        }
        properties.append(
            (
                Self.detail,
                .ordered([
                    ("type", .string("boolean")), ("description", .string("Give the whole report, as JSON.")),
                ])
            ))
        let needed = (command.operands?.minimum ?? 0) > 0 ? [JSONValue.string(operandName)] : []
        return .ordered([
            ("type", .string("object")), ("properties", .ordered(properties)), ("required", .array(needed)),
            ("additionalProperties", .boolean(false)),
        ])
    }

    private typealias Form = [(key: String, value: JSONValue)]

    private static let text: Form = [("type", .string("string"))]

    private static func list(of form: Form, _ summary: String) -> JSONValue {
        .ordered([("type", .string("array")), ("items", .ordered(form)), ("description", .string(summary))])
    }

    private static func form(of option: OptionDefinition) -> Form {
        guard let shape = option.shape else { return [("type", .string("boolean"))] }
        if let words = shape.choices { return text + [(key: "enum", value: .array(words.map { .string($0) }))] }
        return shape.isNumber ? [("type", .string("integer"))] : text
    }

    // MARK: Answer

    private func answer(to arguments: JSONContent) -> AgentTool.Answer {
        do throws(CommandFailure) {
            let isWhole = try Self.isSet(Self.detail, in: arguments)
            return try run(try words(of: arguments, isWhole: isWhole), isWhole: isWhole)
        } catch {
            return AgentTool.Answer([shown(error.description)], isError: true)
        }
    }

    // The command line that asks the same.
    private func words(of content: JSONContent, isWhole: Bool) throws(CommandFailure) -> [String] {
        guard case .object(let members) = content else { throw .usage("the arguments are no JSON object") }
        var (options, operands) = ([String](), [String]())
        for member in members where member.name.text != Self.detail {
            let name = member.name.text
            if name == operandName, command.operands != nil {
                operands = try Self.texts(member)
            } else if let option = self.arguments.first(where: { $0.name == "--" + name }) {
                options += try Self.words(member, of: option)
            } else {
                let known = self.arguments.map { String($0.name.dropFirst(2)) } + [operandName, Self.detail]
                throw .usage("there is no argument \(name.quoted)", hint: Suggestion.hint(for: name, among: known))
            }
        }
        if operands.isEmpty, let needed = command.operands?.minimum, needed > 0 {
            throw .usage("the argument \(operandName.quoted) is missing")
        }
        if isWhole, command.options.contains(where: { $0.name == Options.formatName }) {
            options.append("\(Options.formatName)=json")
        }
        if redactor != nil, command.has(RedactionOptions.redact) {
            options.append(RedactionOptions.redact.name)
        }
        if command.has(Options.noProgress) { options.append(Options.noProgress.name) }
        return options + (operands.isEmpty ? [] : ["--"] + operands)
    }

    private static func words(_ member: JSONMember, of option: OptionDefinition) throws(CommandFailure) -> [String] {
        guard option.isSwitch else { return try texts(member).map { "\(option.name)=\($0)" } }
        return try isSet(member) ? [option.name] : []
    }

    private static func isSet(_ name: String, in content: JSONContent) throws(CommandFailure) -> Bool {
        guard let value = content[ExactText(name)] else { return false }
        return try isSet(JSONMember(ExactText(name), value))
    }

    private static func isSet(_ member: JSONMember) throws(CommandFailure) -> Bool {
        guard case .boolean(let isSet) = member.value else {
            throw .usage("the argument \(member.name.text.quoted) is true or false")
        }
        return isSet
    }

    // A text, a number, or a list of some.
    private static func texts(_ member: JSONMember) throws(CommandFailure) -> [String] {
        switch member.value {
        case .string(let text): return [text.text]
        case .number(let digits): return [digits]
        case .array(let items):
            var texts: [String] = []
            for item in items { texts += try Self.texts(JSONMember(member.name, item)) }
            return texts
        default: throw .usage("the argument \(member.name.text.quoted) is a text, a number or a list of them")
        }
    }

    // As the tool runs a command, but without defaults of a file.
    private func run(_ words: [String], isWhole: Bool) throws(CommandFailure) -> AgentTool.Answer {
        var parsed = try ArgumentParser.parse(words, for: command)
        parsed.folders = folders
        try ConfinedArguments.check(parsed)
        let run = try CollectedRun(parsed)
        let report = isWhole ? run.output : brief(run.output, run.status)
        let texts = [report, run.remarks].filter { !$0.isEmpty }.map(shown)
        let size = texts.reduce(0) { $0 + $1.utf8.count }
        guard size <= limit else {
            return AgentTool.Answer(
                ["the answer has \(size) bytes, and at most \(limit) are given: ask about less"], isError: true)
        }
        return AgentTool.Answer(texts, isError: !Self.answers.contains(run.status))
    }

    // The beginning of a report, or the end of a run that failed, where the failures are; whole parts, if they fit.
    private func brief(_ report: String, _ status: ExitStatus) -> String {
        let lines = report.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard lines.count > Self.lineLimit else { return report }
        let isEnd = command.name == Command.run.name && status == .expectationFailed
        let part = isEnd ? lines.suffix(Self.lineLimit) : lines.prefix(Self.lineLimit)
        let border = isEnd ? part.firstIndex(of: "") : part.lastIndex(of: "")
        let half = part.index(part.startIndex, offsetBy: Self.lineLimit / 2)
        let kept =
            switch border {
            case .some(let border) where isEnd && border < half: part[(border + 1)...]
            case .some(let border) where !isEnd && border >= half: part[..<border]
            default: part
            }
        let further = (lines.count - kept.count).counting("further line")
        let rest = "\(further): `\(Self.detail)` gives the whole report as JSON\n"
        let shown = kept.map { $0 + "\n" }.joined()
        return isEnd ? rest + shown : shown + rest
    }

    /// The statuses of an answer, be it yes or no.
    private static let answers: Set<ExitStatus> = [.success, .expectationFailed, .limitExceeded, .notDecided]

    // Every answer leaves through this.
    private func shown(_ text: String) -> String { redactor?.text(text) ?? text }
}

/// A run of a command whose output is kept, for whoever asks in another way than by a terminal.
struct CollectedRun {
    /// The report.
    let output: String
    /// The messages, a line each.
    let remarks: String
    let status: ExitStatus

    /// Runs a command as the tool does, but without defaults of a file.
    ///
    /// - Throws: ``CommandFailure`` for what is wrong with the arguments.
    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        let (output, remarks) = (CollectedText(), CollectedText())
        var call = CommandCall(
            arguments: arguments,
            console: Console(
                output: { output.add($0) }, error: { remarks.add($0) }, style: .plain, showsProgress: false))
        call.console.redaction = try RedactionOptions.redaction(arguments)
        status = try CommandFailure.status { () throws(CommandFailure) in try arguments.command.answer(call) }
        (self.output, self.remarks) = (output.text, remarks.text)
    }
}

/// A text that a command writes, from whatever thread.
private final class CollectedText: Sendable {
    private let collected = Lock("")

    func add(_ more: String) { collected.withLock { $0 += more } }

    var text: String { collected.withLock { $0 } }
}
