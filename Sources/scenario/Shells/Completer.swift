internal import Accounts
internal import Documents
internal import PolicyEngine

/// Completes the last word of a command line, by the definitions that also drive the parser and the help.
struct Completer {
    private let tool: ToolDefinition
    private let typed: ArraySlice<String>
    private let current: String

    /// Makes a completer of the words behind the tool's name; the last one is being typed, and may be empty.
    init(_ tool: ToolDefinition, words: [String]) {
        self.tool = tool
        (typed, current) = (words.dropLast(), words.last ?? "")
    }

    /// The completions of the last word.
    var completion: ShellCompletion {
        guard let name = typed.first else {
            let options = ToolDefinition.options.map { ShellCompletion.Offer($0.name, $0.summary) }
            return ShellCompletion(.words, commandNames + options)
        }
        guard let command = tool.commands.first(where: { $0.name == name }) else { return .none }
        return completion(of: command)
    }

    private var commandNames: [ShellCompletion.Offer] { tool.listed.map { ShellCompletion.Offer($0.name, $0.summary) } }

    private func completion(of command: Command) -> ShellCompletion {
        let takesCommandLine = command.operands?.kind == .commandLine
        var (rest, mayBeOption, given) = (typed.dropFirst(), true, Set<String>())
        while let word = rest.popFirst() {
            if mayBeOption, word == "--" {
                mayBeOption = false
            } else if mayBeOption, word.hasPrefix("-"), word != "-" {
                if let option = command.option(called: word.prefix { $0 != "=" }) { given.insert(option.name) }
                guard let shape = command.option(called: word)?.shape else { continue }
                if rest.popFirst() == nil { return completion(shape.words, of: current) }
            } else if takesCommandLine {
                return managementCompletion(topic: word, last: rest.last)
            }
        }
        if mayBeOption, current.hasPrefix("-") { return optionCompletion(of: command, given: given) }
        if takesCommandLine {
            return ShellCompletion(.words, CommandGrammar.topics.map { ShellCompletion.Offer($0.topic) })
        }
        return completion(command.operands?.words ?? .unknown, of: current)
    }

    private func optionCompletion(of command: Command, given: Set<String>) -> ShellCompletion {
        if let equals = current.firstIndex(of: "=") {
            let option = command.option(called: current[..<equals])
            let (head, text) = (current[...equals], current[current.index(after: equals)...])
            return completion(option?.shape?.words ?? .unknown, of: String(text)).behind(String(head))
        }
        let options = command.allOptions.filter { $0.isRepeatable || !given.contains($0.name) }
        return ShellCompletion(.words, options.map { ShellCompletion.Offer($0.name, $0.summary) })
    }

    // A word of a management command behind its topic, or the operand of the last word.
    private func managementCompletion(topic: String, last: String?) -> ShellCompletion {
        guard let grammar = CommandGrammar.topics.first(where: { $0.topic == topic }) else { return .none }
        let words = grammar.words.first { $0.name == last }.map { WordList($0.operand) } ?? .unknown
        if words != .unknown { return completion(words, of: current) }
        return ShellCompletion(.words, grammar.words.map { ShellCompletion.Offer($0.name) })
    }

    private func completion(_ words: WordList, of text: String) -> ShellCompletion {
        switch words {
        case .unknown: .none
        case .files: ShellCompletion(.files)
        case .words(let words): ShellCompletion(.words, words.map { ShellCompletion.Offer($0) })
        case .commands: ShellCompletion(.words, commandNames)
        case .attributes: list(CaptureKeys.keys(in: Array(typed)), behind: text)
        case .flags: list(FlagCatalogue().declaredNames, behind: text)
        case .policies: list(Self.policyParts[min(text.count { $0 == "," }, 2)], behind: text)
        }
    }

    // Names that are joined by commas; what an account declares is not among them.
    private func list(_ names: [String], behind text: String) -> ShellCompletion {
        let head = text.lastIndex(of: ",").map { String(text[...$0]) } ?? ""
        return ShellCompletion(.open, names.map { ShellCompletion.Offer($0) }).behind(head)
    }

    /// The names for each part of a policy: its rules, or a preset that is alone; rejection; annotation.
    private static let policyParts = [
        [SecurityPolicy.defaultRules] + presets.filter { $0 != SecurityPolicy.defaultRules }, presets,
        AnnotationPolicy.presetNames + FlagCatalogue().declaredNames,
    ]

    private static let presets = RejectionPreset.allCases.map(\.rawValue)
}

extension WordList {
    /// The words that may follow a word of a management command.
    fileprivate init(_ operand: CommandGrammar.Operand) {
        switch operand {
        case .nothing, .text: self = .unknown
        case .policy: self = .policies
        case .flag: self = .flags
        case .file: self = .files
        case .words(let words): self = .words(words)
        }
    }
}

/// The words that may be at the end of a command line.
struct ShellCompletion: Hashable, Sendable {
    /// The action of a shell with the words, by the name that is printed for it.
    enum Kind: String {
        /// It offers them.
        case words
        /// It offers them, and puts no space behind the one that is chosen, since more may follow.
        case open
        /// It offers files and folders, which it knows itself.
        case files
    }

    /// A word, and a sentence about it that may be empty.
    struct Offer: Hashable, Sendable {
        let word, summary: String

        init(_ word: String, _ summary: String = "") {
            (self.word, self.summary) = (word, summary.replacing("`", with: ""))
        }
    }

    let kind: Kind
    let offers: [Offer]

    init(_ kind: Kind, _ offers: [Offer] = []) {
        (self.kind, self.offers) = (kind, offers)
    }

    /// Nothing is known of the word.
    static let none = ShellCompletion(.words)

    /// The same completions behind a text that is typed already.
    func behind(_ head: String) -> ShellCompletion {
        ShellCompletion(kind, offers.map { Offer(head + $0.word, $0.summary) })
    }
}

/// The keys of attributes that a shell offers.
enum CaptureKeys {
    // The number of lines that are read of each capture.
    private static let lineLimit = 200

    /// The keys of the captures among some words, and those that the service collects, sorted.
    ///
    /// - Parameter words: Words of a command line; a word that is no plain capture gives no key.
    static func keys(in words: [String]) -> [String] {
        let captures = words.filter { word in [".jsonl", ".txt"].contains { word.hasSuffix($0) } }
        let found = captures.flatMap { path in ((try? TextFile.bytes(path: path)) ?? []).keys(upTo: lineLimit) }
        return Set(found + InformationKeys.all).sorted()
    }
}

extension [UInt8] {
    // The keys of records as JSON Lines, or as device information.
    fileprivate func keys(upTo limit: Int) -> [String] {
        split(separator: 0x0A, maxSplits: limit).prefix(limit).flatMap { line -> [String] in
            if line.first == UInt8(ascii: "{") {
                guard case .object(let members)? = try? JSONParser.parse(Array(line)) else { return [] }
                return members.map(\.name.text)
            }
            let key = line.prefix { $0 != UInt8(ascii: ":") }
            let isKey =
                key.count < line.count && !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2D }
            return isKey ? [String(decoding: key, as: UTF8.self)] : []
        }
    }
}
