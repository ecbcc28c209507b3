internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// The typed arguments, checked against the definition of the command and not yet given a meaning.
struct ParsedArguments: Hashable, Sendable {
    /// True if `--help` was typed; nothing else was looked at then.
    let isHelpRequested: Bool
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
    init(isHelpRequested: Bool = false) {
        self.isHelpRequested = isHelpRequested
    }

    /// True if an option was given.
    func isSet(_ option: OptionDefinition) -> Bool {
        valuesByName[option.name] != nil
    }

    /// Every value of an option, in order; none when it was not given.
    func values(of option: OptionDefinition) -> [String] {
        valuesByName[option.name] ?? []
    }

    /// Every value of the option of a name, in order; none when it was not given.
    func values(named name: String) -> [String] { valuesByName[name] ?? [] }

    /// The value of an option that may be given once; `nil` when it was not.
    func value(of option: OptionDefinition) -> String? {
        valuesByName[option.name]?.first
    }

    /// The value of the option of a name that may be given once; `nil` when it was not.
    func value(named name: String) -> String? { valuesByName[name]?.first }

    /// The number given to an option whose value is an `integer`; `nil` when it was not given.
    ///
    /// The parser has checked the range; `Number` must be able to hold all of it.
    func integer<Number: FixedWidthInteger>(of option: OptionDefinition, as type: Number.Type = Int.self) -> Number? {
        value(of: option).flatMap(UInt64.init).map { Number($0) }
    }

    /// The word given to an option whose value is a `choice`; `nil` when it was not given.
    ///
    /// Every allowed word must be the raw value of a case.
    func choice<Choice: RawRepresentable<String>>(of option: OptionDefinition, as type: Choice.Type) -> Choice? {
        guard let word = value(of: option) else { return nil }
        guard let choice = Choice(rawValue: word) else {
            preconditionFailure("\(option.name) allows `\(word)`, which \(type) does not know")
        }
        return choice
    }

    /// The seconds given to an option whose value is a `duration`; `nil` when it was not given.
    func seconds(of option: OptionDefinition) -> Int? {
        value(of: option).flatMap { try? DurationText.parse($0) }
    }

    /// The bound of an option whose value is one; `nil` when it was not given.
    func bound(of option: OptionDefinition) -> Bound? {
        guard let text = value(of: option), case .bound(let form) = option.value else { return nil }
        guard let bound = Bound(text, form) else { preconditionFailure("\(option.name) allows no `\(text)`") }
        return bound
    }

    /// The same with one file to write the report to, in one form.
    func replacing(path: String, form: String?) -> ParsedArguments {
        var arguments = self
        arguments.valuesByName[OptionDefinition.output.name] = [path]
        arguments.valuesByName[Self.formatName] = form.map { [$0] }
        return arguments
    }

    /// Notes a value of an option.
    mutating func add(_ value: String, to option: OptionDefinition) {
        valuesByName[option.name, default: []].append(value)
    }

    /// Notes that an option was given by its former name.
    mutating func add(formerName name: String, of option: OptionDefinition) {
        formerNames.append(FormerName(name: name, option: option))
    }

    /// Notes an operand.
    mutating func add(operand: String) {
        operands.append(operand)
    }
}

/// A former name that was typed, and its option.
struct FormerName: Hashable, Sendable {
    let name: String
    let option: OptionDefinition
}

/// Captures that were read before the command that asks about them began.
struct ReadCaptures: Hashable, Sendable {
    /// Their records, or those of a part of them.
    let image: CaptureImage
    /// The part in words; `nil` for all of them, and where the arguments say it.
    let part: String?
    /// True if the captures were narrowed as the arguments say, so that it need not be done again.
    let areNarrowed: Bool
    /// The names that reports on them gave devices.
    let names: KeptDeviceNames

    static func == (left: ReadCaptures, right: ReadCaptures) -> Bool {
        left.image == right.image && left.part == right.part && left.areNarrowed == right.areNarrowed
    }

    func hash(into hasher: inout Hasher) { hasher.combine(image) }
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
