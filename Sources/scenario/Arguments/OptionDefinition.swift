internal import PolicyEngine

/// Whatever stands for an option: its declaration, or what all options have.
protocol CommandOption: Sendable {
    /// The parts that all options have, whatever the type of their value.
    var definition: OptionDefinition { get }
}

extension CommandOption {
    /// The name as it is typed, with its two dashes: `--format`.
    var name: String { definition.name }

    /// The name and what follows it, as messages show them: `--output FILE`.
    var label: String { definition.shape.map { "\(name) \($0.placeholder)" } ?? name }

    /// The letter as it is typed: `-o`; `nil` for none.
    var short: String? { definition.letter.map { "-\($0)" } }

    /// True if a word of the command line is the name, the letter or the former name.
    func isCalled(_ word: some StringProtocol) -> Bool {
        word == name || short.map { word == $0 } ?? false || isFormer(word)
    }

    /// True if a word of the command line is the former name.
    func isFormer(_ word: some StringProtocol) -> Bool { definition.formerName.map { word == $0 } ?? false }
}

/// An option without the type of its value: what the parser, the help, shells, agents and `FileConflicts` read.
struct OptionDefinition: CommandOption {
    let name: String
    /// The letter that stands for the name behind one dash; `nil` for none.
    let letter: Character?
    /// The name that the option had before, which is still understood; no list for people has it.
    let formerName: String?
    /// The look of its value; `nil` for a switch.
    let shape: ValueShape?
    /// True if it may be given more than once; all its values count, in order.
    let isRepeatable: Bool
    /// One sentence for the help.
    var summary: String
    /// The options among which the help lists it.
    let group: OptionGroup
    /// The rules on other options of the command.
    let relations: [OptionRelation]

    var definition: OptionDefinition { self }

    /// True if it has no value.
    var isSwitch: Bool { shape == nil }

    /// The words by which messages quote it: the name, with a value or without one, and its values or their forms.
    var words: [String] {
        guard let shape else { return [name, name] }
        if let choices = shape.choices { return [name, label] + choices + choices.map { "\(name) \($0)" } }
        return [name, label, shape.placeholder] + shape.placeholder.split(separator: "|").map(String.init)
    }

    /// The summary, and the rules that hold among the options of a command.
    func text(among options: [OptionDefinition]) -> String {
        let names = Set(options.map(\.name))
        let repetition = isRepeatable ? ["May be given more than once."] : []
        return ([summary] + repetition + relations.compactMap { $0.sentence(among: names) }).joined(separator: " ")
    }
}

/// The groups in which the help lists options, in this order.
enum OptionGroup: String, CaseIterable, Sendable {
    case change = "Account and change"
    case command = "This command"
    case count = "What is counted"
    case limits = "Limits"
    case records = "Which records, and how they are read"
    case output = "Output"
    case running = "Running"
}

/// The look of an option's value, whatever its type.
struct ValueShape: Sendable {
    /// The name of the value in the help.
    let placeholder: String
    /// The words that shells complete.
    fileprivate(set) var words: WordList
    /// The words of which it has to be one; `nil` for other values.
    fileprivate(set) var choices: [String]?
    /// The use of the file whose path it is; `nil` for other values.
    fileprivate(set) var file: FileUse?
    /// The form of the bound of a limit; `nil` for other values.
    var bound: Bound.Form?
    /// True for a whole number.
    var isNumber = false
    /// Why a word is no such value; `nil` if it is one.
    let refusal: @Sendable (_ word: String, _ option: String) -> CommandFailure?

    /// - Parameters:
    ///   - placeholder: The name of the value in the help.
    ///   - words: The words that shells complete.
    ///   - refusal: Why a word is no such value; by default every word is one.
    init(
        _ placeholder: String, words: WordList = .unknown,
        refusal: @escaping @Sendable (_ word: String, _ option: String) -> CommandFailure? = { _, _ in nil }
    ) {
        (self.placeholder, self.words, self.refusal) = (placeholder, words, refusal)
    }

    /// The path of a file.
    static func file(_ use: FileUse) -> ValueShape {
        var shape = ValueShape("FILE", words: .files)
        shape.file = use
        return shape
    }

    /// One of some words.
    static func choice(_ words: [String]) -> ValueShape {
        var shape = ValueShape(words.joined(separator: "|"), words: .words(words)) { word, option in
            words.contains(word) ? nil : .unknownChoice(word, option, words)
        }
        shape.choices = words
        return shape
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

    /// The share, from 0 to 1; `nil` for a number.
    var share: Double? { if case .share(let share) = self { share.fraction } else { nil } }

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
