internal import PolicyEngine

extension SecretCommand {
    /// The actions of the topic.
    static let actions = [
        CommandAction("-get", "form, `base64`, `base64url` or `raw`", options: [encrypted, CommandOption("-plain")]),
        CommandAction("-getJWK", "file name", options: [encrypted]),
        CommandAction("-getJWKS", "file name", options: [encrypted]),
        CommandAction("-change", options: [CommandOption("-forcePrintable"), encrypted]),
        CommandAction("-setKeyID", "key ID"), CommandAction("-getKeyID"), CommandAction("-clearKeyID"),
        CommandAction("-messageSigningKey", "deed, such as `change`, `clear` or `get-raw`"),
    ]

    private static let encrypted = CommandOption("-jwe")

    /// Understands a command of the topic.
    init(_ call: CommandInvocation) throws(CommandError) {
        let use: SecretUse = call.has("-jwe") ? .encryption : .signing
        switch call.action.name {
        case "-get":
            self = .get(try ManagementCommand.word(call.operand, "-get"), isPlain: call.has("-plain"), use)
        case "-getJWK": self = .getJWK(file: call.operand, isSet: false, use)
        case "-getJWKS": self = .getJWK(file: call.operand, isSet: true, use)
        case "-change": self = .change(isPrintable: call.has("-forcePrintable"), use)
        case "-setKeyID":
            guard TokenLimits.isKeyID(call.operand) else { throw CommandError(TokenKeyError.invalidID.description) }
            self = .setKeyID(call.operand)
        case "-getKeyID": self = .getKeyID
        case "-clearKeyID": self = .setKeyID(nil)
        default: try self.init(messageKey: call.operand)
        }
    }

    private enum MessageKeyDeed: String, CaseIterable {
        case change, clear
        case raw = "get-raw"
        case base64 = "get-base64"
        case base64url = "get-base64url"
    }

    private init(messageKey text: String) throws(CommandError) {
        let deed: MessageKeyDeed = try ManagementCommand.word(text, "-messageSigningKey")
        switch deed {
        case .change: self = .changeMessageKey(isCleared: false)
        case .clear: self = .changeMessageKey(isCleared: true)
        case .raw: self = .getMessageKey(.raw)
        case .base64: self = .getMessageKey(.base64)
        case .base64url: self = .getMessageKey(.base64url)
        }
    }
}
