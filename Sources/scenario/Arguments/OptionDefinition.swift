internal import PolicyEngine

/// One option of a command: the parser, the help, the suggestions and `FileConflicts` all read this value.
struct OptionDefinition: Hashable, Sendable {
    /// The name as it is typed, with its two dashes: `--format`.
    let name: String
    /// The letter that stands for the name behind one dash; `nil` for none.
    let letter: Character?
    /// The name that the option had before, which is still understood; no list for people has it.
    let formerName: String?
    /// The form of the value after the name.
    let value: OptionValue
    /// One sentence for the help.
    private(set) var summary: String
    /// True if it may be given more than once; all its values count, in order.
    let isRepeatable: Bool
    /// The rules on other options of the command.
    let relations: [OptionRelation]

    /// Makes an option that may be given once, unless said otherwise; without a value it is a switch.
    init(
        _ name: String, letter: Character? = nil, _ summary: String, _ value: OptionValue = .nothing,
        formerName: String? = nil, isRepeatable: Bool = false, relations: [OptionRelation] = []
    ) {
        (self.name, self.letter, self.formerName) = (name, letter, formerName)
        (self.value, self.summary, self.isRepeatable, self.relations) = (value, summary, isRepeatable, relations)
    }

    /// Shows the help; every command has it without listing it.
    static let help = OptionDefinition("--help", letter: "h", "Show this help.")

    /// Leaves out warnings and progress; every command has it without listing it.
    static let quiet = OptionDefinition(
        "--quiet", letter: "q", "Show nothing but results and errors: no warnings, no progress.")

    /// Shows the version, in place of a command.
    static let version = OptionDefinition("--version", letter: "V", "Show the version.")

    /// Writes everything that can be typed, in place of a command.
    static let dumpHelp = OptionDefinition("--dump-help", "Write commands and options as JSON, for other programs.")

    /// The name and what follows it, as messages show them: `--output FILE`.
    var label: String {
        value.placeholder.map { "\(name) \($0)" } ?? name
    }

    /// The words by which messages quote it: the name, with a value or without one, and its values or their forms.
    var words: [String] {
        guard case .choice(let values) = value else {
            return [name, label] + (value.placeholder.map { [$0] + $0.split(separator: "|").map(String.init) } ?? [])
        }
        return [name, label] + values + values.map { "\(name) \($0)" }
    }

    /// The letter as it is typed: `-o`; `nil` for none.
    var short: String? { letter.map { "-\($0)" } }

    /// True if a word of the command line is the name, the letter or the former name.
    func isCalled(_ word: some StringProtocol) -> Bool {
        word == name || short.map { word == $0 } ?? false || isFormer(word)
    }

    /// True if a word of the command line is the former name.
    func isFormer(_ word: some StringProtocol) -> Bool { formerName.map { word == $0 } ?? false }

    /// The summary, and the rules that hold among the options of a command.
    func text(among options: [OptionDefinition]) -> String {
        let names = Set(options.map(\.name))
        let repetition = isRepeatable ? ["May be given more than once."] : []
        return ([summary] + repetition + relations.compactMap { $0.sentence(among: names) }).joined(separator: " ")
    }

    /// The same option in the words of one command.
    ///
    /// Values are found by the name of their option, so that either of the two finds them.
    func described(as summary: String) -> OptionDefinition {
        var option = self
        option.summary = summary
        return option
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
    /// The bound of a limit.
    case bound(Bound.Form)
    /// A time such as `30s` or `1h30m`, of a least number of seconds.
    case duration(least: Int)

    /// One of the words of an enumeration, in the order of its cases.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) -> OptionValue {
        .choice(type.allCases.map(\.rawValue))
    }

    /// The words that shells complete.
    var words: WordList {
        switch self {
        case .nothing, .integer, .bound, .duration: .unknown
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
        case .bound(let form): form.rawValue
        case .duration: "DURATION"
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
    /// Keys of attributes, joined by commas: those of the captures on the command line, and those that the service collects.
    case attributes
    /// Policies: a preset, or rules, rejection and annotation, joined by commas.
    case policies
    /// Names of commands of the tool.
    case commands
    /// One of these words.
    case words([String])
}

/// The bound of a limit: a number, or a share of all.
enum Bound: Hashable, Sendable {
    case count(Int)
    case share(Percentage)

    /// The form of a bound, as the help shows it.
    enum Form: String, Hashable, Sendable {
        /// The greatest number, or the greatest share.
        case most = "N|P%"
        /// The least share.
        case least = "P%"
    }

    /// Reads `12`, `0` or `0.1%`.
    ///
    /// - Returns: `nil` for another form.
    init?(_ text: String, _ form: Form) {
        if text.hasSuffix("%") {
            guard let share = Percentage(text.dropLast()) else { return nil }
            self = .share(share)
        } else {
            guard form == .most, text.utf8.allSatisfy(\.isDigit), let count = Int(text) else { return nil }
            self = .count(count)
        }
    }
}
