internal import Documents
internal import Scenarios

/// A key of `scenario.toml`, and what it stands for on a command line: the only list of these keys.
struct Setting: Hashable, Sendable {
    /// The table that has the key; empty above all tables.
    let table: String
    let key: String
    let form: Form
    /// The option whose default it is; `nil` for the operands.
    let option: String?

    /// The form of a value.
    enum Form: Hashable {
        /// The path of a file, from the folder of `scenario.toml`.
        case file
        /// Paths of files.
        case files
        case text
        /// The bound of a limit.
        case bound(Bound.Form)
    }

    private init(_ key: String, in table: String = "", _ form: Form, option: String?) {
        (self.table, self.key, self.form, self.option) = (table, key, form, option)
    }

    /// The key of the captures.
    static let captures = "captures"

    /// Every key; a command takes those whose option it has.
    static let all =
        [
            Setting("account", .file, option: Options.account.name),
            Setting(captures, .files, option: nil),
            Setting("labels", .file, option: "--labels"),
            Setting("confidence", .text, option: "--confidence"),
        ] + ChangeLimits.options.compactMap { limit(of: $0, for: "diff") }

    private static func limit(of option: any CommandOption, for command: String) -> Setting? {
        guard let form = option.definition.shape?.bound else { return nil }
        return Setting(String(option.name.dropFirst(2)), in: command, .bound(form), option: option.name)
    }

    /// The form of a limit; `nil` for other settings.
    var bound: Bound.Form? {
        if case .bound(let form) = form { form } else { nil }
    }

    /// True if limits depend on it.
    var isOfLimits: Bool { bound != nil || option == ConfidenceOption.option.name }

    /// True if it is a default of a command line.
    ///
    /// A scenario has an account and no captures, and only there a backend accepts requests. What was typed comes first: labels
    /// are left out where the form of the report has none.
    func applies(to arguments: ParsedArguments) -> Bool {
        let command = arguments.command
        guard command.takesSettings, table.isEmpty || table == command.name else { return false }
        guard let option else { return command.operands?.kind == .files && arguments.operands.isEmpty }
        guard let known = command.options.first(where: { $0.name == option }), arguments.words(named: option).isEmpty
        else { return false }
        // A limit is never left out without a word.
        if !isOfLimits, arguments.exclude(known) { return false }
        switch option {
        case Options.account.name: return !arguments.namesScenario
        case ChangeLimits.blocked.option.name: return arguments.namesScenario
        default: return true
        }
    }
}

/// A value of `scenario.toml` that has the form of its key.
struct SettingValue: Sendable {
    let setting: Setting
    /// The words as they would be typed; several for several operands.
    let words: [String]

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - entry: The key and the value.
    ///   - folder: The beginning of paths: that of the file, with a slash at its end or empty.
    /// - Throws: ``SettingError``.
    init(_ entry: TOMLEntry, in folder: String) throws(SettingError) {
        let candidates = Setting.all.filter { $0.table == entry.table }
        guard let setting = candidates.first(where: { $0.key == entry.key }) else {
            throw .unknownKey(entry, candidates.map(\.key))
        }
        self.setting = setting
        words = try setting.words(of: entry.value, in: folder)
        guard !words.isEmpty, !words.contains("") else {
            throw SettingError("the value of \(entry.key.quoted) is empty")
        }
    }
}

extension Setting {
    fileprivate func words(of value: TOMLValue, in folder: String) throws(SettingError) -> [String] {
        switch (form, value) {
        case (.file, .string(let path)): return [Self.path(path, in: folder)]
        case (.files, .strings(let paths)): return paths.map { Self.path($0, in: folder) }
        case (.text, .string(let text)): return [text]
        case (.bound(let form), .string(let text)) where Bound(text, form) != nil: return [text]
        case (.bound(let form), .integer(let number)) where Bound("\(number)", form) != nil: return ["\(number)"]
        default: throw SettingError("\(key.quoted) takes \(form.description)")
        }
    }

    private static func path(_ path: String, in folder: String) -> String {
        path.isEmpty || path.hasPrefix("/") || path == AccountOptions.newAccount ? path : folder + path
    }
}

extension Setting.Form: CustomStringConvertible {
    var description: String {
        switch self {
        case .file: "the path of a file, in quotes"
        case .files: "a list of paths, such as [\"day.jsonl.gz\"]"
        case .text: "a text, in quotes"
        case .bound(.most): "a number such as 12, or a share in quotes such as \"0.1%\""
        case .bound(.least): "a share in quotes, such as \"80%\""
        }
    }
}

/// Why a value of `scenario.toml` is not taken.
struct SettingError: DescribedError {
    let description: String
    var hint: String?

    fileprivate init(_ description: String, hint: String? = nil) {
        (self.description, self.hint) = (description, hint)
    }

    fileprivate static func unknownKey(_ entry: TOMLEntry, _ known: [String]) -> SettingError {
        let tables = Set(Setting.all.map(\.table)).subtracting([""]).sorted().map { "[\($0)]".quoted }
        guard !known.isEmpty else {
            return SettingError(
                "the table \(entry.table.quoted) is not known", hint: "there is " + tables.joined(separator: ", "))
        }
        return SettingError(
            "unknown key \(entry.key.quoted)",
            hint: Suggestion.hint(for: entry.key, among: known) ?? "there are " + known.joined(separator: ", "))
    }
}

extension ParsedArguments {
    // True if a scenario is among the operands.
    fileprivate var namesScenario: Bool { operands.contains(where: ScenarioFiles.isScenario) }
}
