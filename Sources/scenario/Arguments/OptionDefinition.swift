/// One option of a command: the parser, the help, the suggestions and `FileConflicts` all read this value.
struct OptionDefinition: Hashable, Sendable {
    /// The name as it is typed, with its two dashes: `--format`.
    let name: String
    /// The form of the value after the name.
    let value: OptionValue
    /// One sentence for the help.
    let summary: String
    /// True if it may be given more than once; all its values count, in order.
    let isRepeatable: Bool

    /// Makes an option that may be given once, unless said otherwise.
    init(name: String, value: OptionValue = .nothing, summary: String, isRepeatable: Bool = false) {
        (self.name, self.value, self.summary, self.isRepeatable) = (name, value, summary, isRepeatable)
    }

    /// Shows the help; every command has it without listing it.
    static let help = OptionDefinition(name: "--help", summary: "Show this help.")

    /// The name and what follows it, as the help shows them: `--output FILE`.
    var label: String {
        value.placeholder.map { "\(name) \($0)" } ?? name
    }

    /// The same option in the words of one command.
    ///
    /// Values are found by the name of their option, so that either of the two finds them.
    func described(as summary: String) -> OptionDefinition {
        OptionDefinition(name: name, value: value, summary: summary, isRepeatable: isRepeatable)
    }
}

/// The form of an option's value.
enum OptionValue: Hashable, Sendable {
    /// Nothing: the option is a switch.
    case nothing
    /// Any text but the empty one; the placeholder stands for it in the help, and shells complete the words.
    case text(placeholder: String, words: WordList = .unknown)
    /// The path of a file, and what the command does with the file.
    case file(FileUse)
    /// One of these words.
    case choice([String])
    /// A whole number in plain decimal digits, bounds included.
    case integer(placeholder: String, in: ClosedRange<UInt64>)

    /// One of the words of an enumeration, in the order of its cases.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) -> OptionValue {
        .choice(type.allCases.map(\.rawValue))
    }

    /// The words that shells complete.
    var words: WordList {
        switch self {
        case .nothing, .integer: .unknown
        case .text(_, let words): words
        case .file: .files
        case .choice(let words): .words(words)
        }
    }

    /// The name of the value in the help; `nil` for a switch.
    var placeholder: String? {
        switch self {
        case .nothing: nil
        case .text(let placeholder, _), .integer(let placeholder, _): placeholder
        case .file: "FILE"
        case .choice(let words): words.joined(separator: "|")
        }
    }
}

/// The use that a command makes of a file that an option names.
enum FileUse: Hashable, Sendable {
    /// It reads the file.
    case reads
    /// It reads an account from the file, and the key file that the account names.
    case readsAccount
    /// It writes the file, or standard output where the path is `-`.
    case writes
}

/// The words that a value or an operand may be, where a shell can complete them.
enum WordList: Hashable, Sendable {
    /// Nothing is known of them.
    case unknown
    /// Paths of files and folders.
    case files
    /// Flags of the catalogue, joined by commas.
    case flags
    /// Policies: a preset, or rules, rejection and annotation, joined by commas.
    case policies
    /// Names of commands of the tool.
    case commands
    /// One of these words.
    case words([String])
}
