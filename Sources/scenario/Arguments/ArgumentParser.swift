internal import Documents

/// Reads the words after the name of a command.
///
/// - Options and operands may be in any order; `--` makes operands of all that follows, `-` alone is one.
/// - A value is joined to its option by `=` or is the next argument. One that begins with a dash has to be joined, as in
///   `--timezone=-05:00`, or comes after `--`, which ends the options; `-` alone is a value.
/// - Nothing may be empty, neither a value nor an operand: most often it is an unset variable of a shell.
/// - A letter stands for the name of some options: `-o FILE` or `-o=FILE`. Each letter has a dash of its own.
/// - `--help` anywhere before `--` wins over everything else, mistakes included.
/// - If the operands are another command line, options come before it: the first argument that begins with no dash begins it,
///   and from there on nothing is ours.
struct ArgumentParser {
    private let command: Command
    private let options: [OptionDefinition]
    private var remaining: ArraySlice<String>
    private var parsed: ParsedArguments
    // True if `--` has not ended the options yet.
    private var mayBeOption = true

    private init(_ arguments: [String], for command: Command) {
        options = command.allOptions
        (self.command, remaining, parsed) = (command, arguments[...], ParsedArguments(of: command))
    }

    /// Reads the arguments of a command.
    ///
    /// - Parameters:
    ///   - arguments: The words after the name of the command.
    ///   - command: The definition of the command.
    /// - Returns: The arguments, each of the form its definition asks for.
    /// - Throws: The first mistake, in the order of the arguments.
    static func parse(
        _ arguments: [String],
        for command: Command
    ) throws(CommandFailure) -> ParsedArguments {
        let parsed = try read(arguments, for: command)
        if parsed.help == nil { try check(parsed) }
        return parsed
    }

    /// Reads the arguments of a command, each by itself; defaults may still be added to them.
    ///
    /// - Throws: The first mistake, in the order of the arguments.
    static func read(_ arguments: [String], for command: Command) throws(CommandFailure) -> ParsedArguments {
        var parser = ArgumentParser(arguments, for: command)
        if let help = parser.help { return ParsedArguments(of: command, help: help) }
        try parser.readAll()
        try OutputForms.resolve(&parser.parsed)
        return parser.parsed
    }

    /// Checks that nothing is missing, and that options go together.
    static func check(_ parsed: ParsedArguments) throws(CommandFailure) {
        let command = parsed.command
        if let operands = command.operands, parsed.operands.count < operands.minimum {
            throw .missingOperand(operands)
        }
        for option in command.options { try parsed.checkRelations(of: option) }
        try command.choice?.check(parsed)
    }

    private func known(_ word: String) -> OptionDefinition? { options.first { $0.isCalled(word) } }

    private var takesCommandLine: Bool { command.operands?.kind == .commandLine }

    private var help: HelpRequest? {
        guard takesCommandLine else { return remaining.prefix { $0 != "--" }.lazy.compactMap(HelpRequest.init).first }
        // A copy looks ahead to where the other command line begins; mistakes before that do not matter.
        var rest = remaining
        while let argument = rest.popFirst(), argument != "--", isOption(argument) {
            if let help = HelpRequest(argument) { return help }
            if let known = known(argument), !known.isSwitch, rest.popFirst() == "--" { return nil }
        }
        return nil
    }

    private mutating func readAll() throws(CommandFailure) {
        while let argument = remaining.popFirst() {
            if mayBeOption, argument == "--" {
                mayBeOption = false
            } else if mayBeOption, isOption(argument) {
                try readOption(argument)
            } else if takesCommandLine {
                parsed.add(operand: argument)
                while let word = remaining.popFirst() { parsed.add(operand: word) }
            } else {
                try readOperand(argument)
            }
        }
    }

    // A command line of another tool may begin with one dash; only letters of known options are taken for such.
    private func isOption(_ argument: String) -> Bool {
        if takesCommandLine, !argument.utf8.starts(with: "--".utf8) {
            return known(Self.split(argument).name) != nil
        }
        return argument != "-" && argument.utf8.first == UInt8(ascii: "-")
    }

    private mutating func readOperand(_ argument: String) throws(CommandFailure) {
        guard let definition = command.operands else { throw .unexpectedOperand(argument) }
        guard !argument.isEmpty else { throw .emptyOperand(definition) }
        if let maximum = definition.maximum, parsed.operands.count == maximum { throw .unexpectedOperand(argument) }
        parsed.add(operand: argument)
    }

    private mutating func readOption(_ argument: String) throws(CommandFailure) {
        let (name, joined) = Self.split(argument)
        let option = try option(named: name)
        if parsed.isSet(option), !option.isRepeatable { throw .repeatedOption(option) }
        if option.isFormer(name) { parsed.add(formerName: name, of: option) }
        if option.isSwitch {
            guard joined == nil else { throw .valueOfSwitch(option) }
            parsed.add("", to: option)
        } else {
            let value = if let joined { joined } else { try nextValue(of: option) }
            try Self.check(value, of: option)
            parsed.add(value, to: option)
        }
    }

    /// Cuts at the first `=`, by bytes: a combining mark at the start of a value must not hide it.
    private static func split(_ argument: String) -> (name: String, value: String?) {
        guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (argument, nil) }
        let value = argument.utf8[argument.utf8.index(after: equals)...]
        return (String(argument[..<equals]), String(decoding: value, as: UTF8.self))
    }

    private func option(named name: String) throws(CommandFailure) -> OptionDefinition {
        if let option = known(name) { return option }
        throw .unknownOption(name, among: options, otherwise: "`--help` lists the options")
    }

    private mutating func nextValue(of option: OptionDefinition) throws(CommandFailure) -> String {
        guard let next = remaining.popFirst() else { throw .missingValue(option) }
        if next == "--" {
            mayBeOption = false
            guard let value = remaining.popFirst() else { throw .missingValue(option) }
            return value
        }
        if next != "-", next.utf8.first == UInt8(ascii: "-") {
            let isOption = known(Self.split(next).name) != nil
            throw .missingValue(option, joinable: isOption ? nil : next)
        }
        return next
    }

    /// Checks the value of an option.
    ///
    /// - Throws: ``CommandFailure`` for one that the option cannot have.
    static func check(_ value: String, of option: OptionDefinition) throws(CommandFailure) {
        guard let shape = option.shape else { return }
        guard !value.isEmpty else { throw .emptyValue(option) }
        if let refusal = shape.refusal(value, option.name) { throw refusal }
    }
}

extension CommandFailure {
    /// An option that is not known.
    ///
    /// - Parameters:
    ///   - name: The word, without the value that is joined to it.
    ///   - options: The options that are known.
    ///   - otherwise: The hint where none of them is near.
    static func unknownOption(_ name: String, among options: [OptionDefinition], otherwise: String) -> CommandFailure {
        let isLong = name.utf8.starts(with: "--".utf8)
        // One letter is as near to any other.
        let near =
            name.count == 2
            ? options.compactMap(\.short).first { $0.lowercased() == name.lowercased() }
            : Suggestion.closest(to: name, among: options.map(\.name))
        let begun = options.first { option in
            !option.isSwitch && option.short.map { name.hasPrefix($0) } == true
        }
        let hint: String =
            if let near {
                didYouMean(near)
            } else if let short = begun?.short {
                "the value of `\(short)` is a word of its own: \(("\(short) \(name.dropFirst(2))").asTyped)"
            } else if isLong || name.count == 2 {
                otherwise
            } else {
                "`--` has to precede operands that begin with `-`"
            }
        return .usage("unknown option \(name.asTyped)", hint: hint)
    }

    fileprivate static func repeatedOption(_ option: OptionDefinition) -> CommandFailure {
        .usage("option `\(option.name)` is given more than once")
    }

    fileprivate static func valueOfSwitch(_ option: OptionDefinition) -> CommandFailure {
        .usage("option `\(option.name)` takes no value")
    }

    fileprivate static func missingValue(_ option: OptionDefinition, joinable: String? = nil) -> CommandFailure {
        .usage(
            "option `\(option.label)` lacks its value",
            hint: joinable.map { "a value that begins with `-` is written \(("\(option.name)=\($0)").asTyped)" }
        )
    }

    fileprivate static func emptyValue(_ option: OptionDefinition) -> CommandFailure {
        .usage("the value of option `\(option.label)` is empty")
    }

    /// A word that is none of those that an option takes.
    static func unknownChoice(_ value: String, _ option: String, _ words: [String]) -> CommandFailure {
        let known = words.map { "`\($0)`" }.joined(separator: ", ")
        return .usage(
            "option `\(option)` does not know \(value.asTyped)",
            hint: Suggestion.closest(to: value, among: words).map(didYouMean) ?? "it knows \(known)")
    }

    /// A word that is no whole number within bounds.
    static func badInteger(_ value: String, _ option: String, _ bounds: String) -> CommandFailure {
        .usage(
            "option `\(option)` takes a whole number, \(bounds), not \(value.asTyped)",
            hint: inDigits(value).map { "write \($0.asTyped)" })
    }

    // `5000000` for `5M` and for `5,000,000`, as reports write it.
    private static func inDigits(_ value: String) -> String? {
        let plain = value.filter { $0 != "," && $0 != "_" }
        let zeros = ["k": 3, "K": 3, "m": 6, "M": 6, "G": 9][plain.last ?? " "] ?? 0
        let digits = zeros == 0 ? plain : String(plain.dropLast())
        guard let first = digits.first, first != "0", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let whole = digits + String(repeating: "0", count: zeros)
        return whole == value ? nil : whole
    }

    /// A word that is no bound of a limit.
    static func badBound(_ value: String, _ option: String, _ form: Bound.Form) -> CommandFailure {
        switch form {
        case .most:
            .usage("`\(option)` takes a number or a share, not \(value.asTyped)", hint: "such as `12` or `0.1%`")
        case .least:
            .usage(
                "`\(option)` takes a share, not \(value.asTyped)",
                hint: Bound(value + "%", form) == nil ? "such as `80%`" : didYouMean(value + "%"))
        }
    }

    /// A word that is no duration of a least number of seconds.
    static func badDuration(_ value: String, _ option: String, least: Int) -> CommandFailure {
        least > 0
            ? .usage("`\(option)` takes a duration above 0, not \(value.asTyped)", hint: "such as `30s` or `5m`")
            : .usage("`\(option)` takes a duration, not \(value.asTyped)", hint: "such as `10m`")
    }

    fileprivate static func unexpectedOperand(_ argument: String) -> CommandFailure {
        .usage("unexpected argument \(argument.asTyped)")
    }

    fileprivate static func emptyOperand(_ definition: OperandDefinition) -> CommandFailure {
        .usage("a \(definition.placeholder) is empty")
    }

    fileprivate static func missingOperand(_ definition: OperandDefinition) -> CommandFailure {
        definition.minimum > 1
            ? .usage("not all of `\(definition.label)` are given", hint: "`--help` shows how they are used")
            : .usage("`\(definition.label)` is missing", hint: "`--help` shows how it is used")
    }
}
