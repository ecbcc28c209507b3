internal import Documents
internal import PolicyEngine

extension ManagementCommand {
    /// Understands a command line, such as `policy -set default,allow-root,risk`.
    ///
    /// - Throws: ``CommandError``: the first thing that is wrong with it.
    package init(_ line: String) throws(CommandError) {
        try self.init(words: try CommandWords.split(line))
    }

    /// Understands the words of a command, as a shell has split them.
    ///
    /// - Throws: ``CommandError``: the first thing that is wrong with them.
    package init(words: [String]) throws(CommandError) {
        let call = try CommandInvocation(words)
        switch call.topic {
        case "policy": self = try Self.policyCommand(call)
        case "device": self = try Self.deviceCommand(call)
        case "filter": self = try Self.filterCommand(call)
        case "token": self = .token(try TokenCommand(call))
        case "secret": self = .secret(try SecretCommand(call))
        case "keyset": self = .keySet(try KeySetCommand(call))
        default: self = try Self.serviceCommand(call)
        }
    }

    static func onOff(_ call: CommandInvocation) throws(CommandError) -> Bool {
        switch call.operand {
        case "on": return true
        case "off": return false
        default: throw CommandError("\(call.action.name.quoted) takes `on` or `off`, not \(call.operand.quoted)")
        }
    }

    static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ option: String
    ) throws(CommandError) -> Word {
        if let word = Word(rawValue: text) { return word }
        let names = Word.allCases.map(\.rawValue)
        throw CommandError(
            "\(text.quoted) is no value of \(option.quoted); there are \(names.map(\.quoted).joined(separator: ", "))",
            hint: Suggestion.hint(for: text, among: names))
    }

    static func deviceID(_ text: String) throws(CommandError) -> DeviceID {
        guard let id = DeviceID(text) else { throw CommandError(DeviceError.invalidID(text).description) }
        return id
    }
}
