internal import Accounts
internal import PolicyEngine

/// The completions that a shell offers for a value.
enum CompletedValue: Hashable, Sendable {
    /// Nothing can be typed: the option is a switch.
    case nothing
    /// Something can be typed, of which nothing is known.
    case unknown
    /// Paths of files and folders.
    case files
    /// One of these words.
    case words([String])
    /// Names of commands of the tool.
    case commands
    /// Flags, joined by commas.
    case flags
    /// A preset alone, or rules, rejection and annotation, joined by commas.
    case policies

    /// The completions of an option's value.
    init(_ value: OptionValue) {
        switch value {
        case .nothing: self = .nothing
        case .text(_, let words): self.init(words)
        case .file: self = .files
        case .choice(let words): self = .words(words)
        case .integer: self = .unknown
        }
    }

    /// The completions of a command's operands.
    init(_ operands: OperandDefinition?) {
        switch operands?.kind {
        case .files: self = .files
        case .words: self.init(operands?.words ?? .unknown)
        case .commandLine, nil: self = .unknown
        }
    }

    /// The completions after a word of a management command.
    init(_ operand: CommandGrammar.Operand) {
        switch operand {
        case .nothing: self = .nothing
        case .text: self = .unknown
        case .policy: self = .policies
        case .flag: self = .flags
        case .file: self = .files
        case .words(let words): self = .words(words)
        }
    }

    private init(_ words: WordList) {
        switch words {
        case .unknown: self = .unknown
        case .flags: self = .flags
        case .policies: self = .policies
        case .commands: self = .commands
        case .words(let words): self = .words(words)
        }
    }
}

/// The names that every completion knows, from the tables that decide; what an account declares is not among them.
enum CompletedNames {
    /// The flags of the catalogue.
    static let flags = FlagCatalogue().declaredNames
    /// The first part of a policy.
    static let rules = [SecurityPolicy.defaultRules]
    /// The second part of a policy.
    static let rejections = RejectionPreset.allCases.map(\.rawValue)
    /// The third part of a policy.
    static let annotations = AnnotationPolicy.presetNames + flags
    /// The first words of a policy: its rules, or a preset that is alone.
    static let policyStarts = rules + rejections.filter { !rules.contains($0) }
}

/// A language that completions are written in.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The completions of a tool, for the shell to read.
    func completions(of tool: ToolDefinition) -> String {
        switch self {
        case .bash: BashCompletions(tool).text
        case .zsh: ZshCompletions(tool).text
        case .fish: FishCompletions(tool).text
        }
    }

    /// A word as all three shells take it, whatever it holds.
    static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// Words as all three shells take them, in one quoted text.
    static func quoted(_ words: [String]) -> String {
        quoted(words.joined(separator: " "))
    }
}
