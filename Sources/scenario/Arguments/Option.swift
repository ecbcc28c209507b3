internal import Documents
internal import PolicyEngine

/// An option of a command: declared once, with the type of what it gives, and read by `arguments[option]`.
struct Option<Value>: CommandOption {
    private(set) var definition: OptionDefinition
    /// The value that the typed words give; no word if the option was not given.
    fileprivate let value: @Sendable ([String]) -> Value

    /// Declares an option.
    ///
    /// - Parameters:
    ///   - name: The name as it is typed, with its two dashes: `--format`.
    ///   - letter: The letter that stands for the name behind one dash.
    ///   - summary: One sentence for the help.
    ///   - form: The form of its value.
    ///   - group: The options among which the help lists it.
    ///   - formerName: The name that the option had before, which is still understood; no list for people has it.
    ///   - relations: The rules on other options of the command.
    init(
        _ name: String, letter: Character? = nil, _ summary: String, _ form: OptionForm<Value>,
        in group: OptionGroup = .command, formerName: String? = nil, relations: [OptionRelation] = []
    ) {
        value = form.value
        definition = OptionDefinition(
            name: name, letter: letter, formerName: formerName, shape: form.shape, isRepeatable: form.isRepeatable,
            summary: summary, group: group, relations: relations)
    }

    /// The same option in the words of one command; either of the two reads the value.
    func described(as summary: String) -> Option {
        var option = self
        option.definition.summary = summary
        return option
    }
}

extension Option where Value == Bool {
    /// Declares a switch: an option without a value.
    init(
        _ name: String, letter: Character? = nil, _ summary: String, in group: OptionGroup = .command,
        relations: [OptionRelation] = []
    ) {
        let form = OptionForm<Bool>(shape: nil) { !$0.isEmpty }
        self.init(name, letter: letter, summary, form, in: group, relations: relations)
    }
}

extension ParsedArguments {
    /// The value of an option.
    subscript<Value>(option: Option<Value>) -> Value { option.value(words(of: option)) }
}

/// The form of an option's value: how it looks on the command line, and what it is read as.
struct OptionForm<Value>: Sendable {
    /// `nil` for a switch.
    fileprivate let shape: ValueShape?
    fileprivate var isRepeatable = false
    fileprivate let value: @Sendable ([String]) -> Value

    // One value; a word that cannot be read was refused by the parser.
    fileprivate static func one<Single>(
        _ shape: ValueShape, _ read: @escaping @Sendable (String) -> Single?
    ) -> OptionForm where Value == Single? {
        OptionForm(shape: shape) { $0.first.flatMap(read) }
    }

    /// The same form with a value where none is given.
    fileprivate func or<Single: Sendable>(_ usual: Single) -> OptionForm<Single> where Value == Single? {
        let value = value
        return OptionForm<Single>(shape: shape) { value($0) ?? usual }
    }
}

extension OptionForm where Value == String? {
    /// Any text but the empty one; the placeholder stands for it in the help, and shells complete the words.
    static func text(_ placeholder: String, words: WordList = .unknown) -> OptionForm {
        .one(ValueShape(placeholder, words: words)) { $0 }
    }

    /// The path of a file, and what the command does with the file.
    static func file(_ use: FileUse) -> OptionForm { .one(.file(use)) { $0 } }
}

extension OptionForm where Value == [String] {
    /// Texts, for an option that may be given more than once; they count in order.
    static func texts(_ placeholder: String) -> OptionForm {
        OptionForm(shape: ValueShape(placeholder), isRepeatable: true) { $0 }
    }

    /// The paths of files, for such an option.
    static func files(_ use: FileUse) -> OptionForm {
        OptionForm(shape: .file(use), isRepeatable: true) { $0 }
    }
}

extension OptionForm {
    /// One of the words of an enumeration, in the order of its cases.
    static func choice<Choice: CaseIterable & RawRepresentable<String> & SendableMetatype>(of type: Choice.Type)
        -> OptionForm where Value == Choice?
    { .choice(among: Array(type.allCases)) }

    fileprivate static func choice<Choice: RawRepresentable<String> & SendableMetatype>(among choices: [Choice])
        -> OptionForm where Value == Choice?
    { .one(.choice(choices.map(\.rawValue))) { Choice(rawValue: $0) } }

    /// A whole number in plain decimal digits, bounds included.
    static func integer<Number: FixedWidthInteger & Sendable>(
        _ placeholder: String, in range: ClosedRange<Number>
    ) -> OptionForm where Value == Number? {
        let read: @Sendable (String) -> Number? = { word in
            // The initializer alone would take a sign, too.
            guard word.utf8.allSatisfy(\.isDigit), let number = Number(word) else { return nil }
            return range.contains(number) ? number : nil
        }
        var shape = ValueShape(placeholder) { word, option in
            read(word) == nil ? .badInteger(word, option, "\(range.lowerBound) through \(range.upperBound)") : nil
        }
        shape.isNumber = true
        return .one(shape, read)
    }

    /// The bound of a limit.
    static func bound(_ form: Bound.Form) -> OptionForm where Value == Bound? {
        var shape = ValueShape(form.rawValue) { word, option in
            Bound(word, form) == nil ? .badBound(word, option, form) : nil
        }
        shape.bound = form
        return .one(shape) { Bound($0, form) }
    }

    /// A time such as `30s` or `1h30m`, of a least number of seconds.
    static func duration(least: Int) -> OptionForm where Value == Int? {
        let read: @Sendable (String) -> Int? = { word in
            (try? DurationText.parse(word)).flatMap { $0 >= least ? $0 : nil }
        }
        return .one(
            ValueShape("DURATION") { word, option in
                read(word) == nil ? .badDuration(word, option, least: least) : nil
            }, read)
    }
}

/// The same forms, with the value where the option is not given.
extension OptionForm where Value: RawRepresentable<String> & Sendable & SendableMetatype {
    /// One of some words of an enumeration.
    static func choice(among choices: [Value], usually usual: Value) -> OptionForm {
        OptionForm<Value?>.choice(among: choices).or(usual)
    }

    /// One of the words of an enumeration, in the order of its cases.
    static func choice(usually usual: Value) -> OptionForm where Value: CaseIterable {
        choice(among: Array(Value.allCases), usually: usual)
    }
}

extension OptionForm where Value: FixedWidthInteger & Sendable {
    /// A whole number in plain decimal digits, bounds included.
    static func integer(_ placeholder: String, in range: ClosedRange<Value>, usually usual: Value) -> OptionForm {
        OptionForm<Value?>.integer(placeholder, in: range).or(usual)
    }
}

extension OptionForm where Value == Int {
    /// A time, in seconds.
    static func duration(least: Int, usually usual: Int) -> OptionForm {
        OptionForm<Int?>.duration(least: least).or(usual)
    }
}
