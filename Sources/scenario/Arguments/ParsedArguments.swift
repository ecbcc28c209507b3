internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// The typed arguments of a command, checked against its declaration and not yet given a meaning.
struct ParsedArguments: Sendable {
    let command: Command
    /// The help that was asked for; nothing else was looked at then.
    let help: HelpRequest?
    /// The arguments beside the options, in order; `-` stands for standard input.
    private(set) var operands: [String] = []
    /// The values by the name of their option, in order; a switch has one empty value.
    private var valuesByName: [String: [String]] = [:]
    /// The options that were given by a former name, in order.
    private(set) var formerNames: [FormerName] = []

    /// The folders whose files the command may read; `nil` for those of everybody.
    var folders: [String]?

    /// The files that the command may read.
    var reach: FileBoundary { folders.map(confined(to:)) ?? .anywhere }

    /// The files of some folders, for a command that an agent gives: no option of it can name more of them.
    func confined(to folders: [String]) -> FileBoundary {
        FileBoundary(namedBy: folders, hint: "start `scenario mcp` with the folder that holds both")
    }

    /// The captures that the operands name, where they were read before; `nil` has the command read them.
    var captures: ReadCaptures?

    /// The defaults that a file added to what was typed; `nil` for none.
    var defaults: AppliedSettings?

    /// Makes an empty set of arguments.
    init(of command: Command, help: HelpRequest? = nil) {
        (self.command, self.help) = (command, help)
    }

    /// The files that the operands name, or the usual one.
    var operandFiles: [String] {
        guard let definition = command.operands, definition.kind == .files else { return [] }
        return operands.isEmpty ? [definition.fallback].compactMap(\.self) : operands
    }

    /// True if an option was given.
    func isSet(_ option: any CommandOption) -> Bool { valuesByName[option.name] != nil }

    /// Every value of an option as it was typed, in order; none when it was not given.
    func words(of option: any CommandOption) -> [String] { words(named: option.name) }

    /// The value of an option that may be given once, as it was typed; `nil` when it was not.
    func word(of option: any CommandOption) -> String? { words(of: option).first }

    /// Every value of the option of a name as it was typed, in order; none when it was not given.
    func words(named name: String) -> [String] { valuesByName[name] ?? [] }

    /// The same with one file to write the report to, in one form.
    func replacing(path: String, form: String?) -> ParsedArguments {
        var arguments = self
        arguments.valuesByName[Options.output.name] = [path]
        arguments.valuesByName[Options.formatName] = form.map { [$0] }
        return arguments
    }

    /// Notes a value of an option.
    mutating func add(_ value: String, to option: any CommandOption) {
        valuesByName[option.name, default: []].append(value)
    }

    /// Notes that an option was given by its former name.
    mutating func add(formerName name: String, of option: OptionDefinition) {
        formerNames.append(FormerName(name: name, current: option.name))
    }

    /// Notes an operand.
    mutating func add(operand: String) {
        operands.append(operand)
    }
}

/// The former name of an option, which was typed.
struct FormerName: Sendable {
    let name: String
    /// The name that it has now.
    let current: String
}

/// Captures that were read before the command that asks about them began.
struct ReadCaptures: Sendable {
    /// Their records, or those of a part of them.
    let image: CaptureImage
    /// The part in words; `nil` for all of them, and where the arguments say it.
    let part: String?
    /// True if the captures were narrowed as the arguments say, so that it need not be done again.
    let areNarrowed: Bool
    /// The names that reports on them gave devices.
    let names: KeptDeviceNames
    /// Notes how far a command is.
    let progress: Progress
}

/// The names of devices by the key that was asked for last.
final class KeptDeviceNames: Sendable {
    private let latest = Lock<(key: PseudonymKey, names: DeviceNames)?>(nil)

    /// The names that a key makes.
    func names(by key: PseudonymKey) -> DeviceNames {
        latest.withLock { latest in
            if let latest, latest.key == key { return latest.names }
            let names = DeviceNames(key)
            latest = (key, names)
            return names
        }
    }
}

extension ParsedArguments {
    /// The captures that the operands name, as reports identify them.
    ///
    /// - Parameter limit: The greatest length at which all of a file is read; files that were read before are not read again.
    func captureIdentities(digestedUpTo limit: Int) -> [CaptureIdentity] {
        captures?.image.captures ?? CaptureIdentity.all(operands, digestedUpTo: limit)
    }
}
