package import PolicyEngine

/// The topic `secret` (manual, Account Secret Key Export and the sections behind it; Key IDs; Message Signing).
package enum SecretTopic: ManagementTopic {
    case get(SecretForm, isPlain: Bool, SecretUse)
    case getJWK(file: String, isSet: Bool, SecretUse)
    case change(isPrintable: Bool, SecretUse)
    case setKeyID(String?)
    case getKeyID
    case changeMessageKey(isCleared: Bool)
    case getMessageKey(SecretForm)

    /// The use of one of the account's secrets.
    package enum SecretUse: Hashable, Sendable {
        /// Signed tokens.
        case signing
        /// Encrypted ones: `-jwe`.
        case encryption
    }

    static let name = "secret"

    static let actions: [CommandAction] = [
        action(
            "-get", "form, `base64`, `base64url` or `raw`", for: .admins, options: [encrypted, CommandOption("-plain")]
        ) { call throws(CommandError) in
            .get(try call.word(), isPlain: call.has("-plain"), SecretUse(call))
        },
        action("-getJWK", "file name", for: .admins, options: [encrypted]) {
            .getJWK(file: $0.operand, isSet: false, SecretUse($0))
        },
        action("-getJWKS", "file name", for: .admins, options: [encrypted]) {
            .getJWK(file: $0.operand, isSet: true, SecretUse($0))
        },
        action(
            "-change", for: .admins, changes: true, impact: "updating the account secret key",
            options: [CommandOption("-forcePrintable"), encrypted]
        ) {
            .change(isPrintable: $0.has("-forcePrintable"), SecretUse($0))
        },
        action("-setKeyID", "key ID", for: .developers, changes: true) { call throws(CommandError) in
            guard TokenLimits.isKeyID(call.operand) else { throw CommandError(TokenKeyError.invalidID) }
            return .setKeyID(call.operand)
        },
        action("-getKeyID", for: .developers) { _ in .getKeyID },
        action("-clearKeyID", for: .developers, changes: true) { _ in .setKeyID(nil) },
        action("-messageSigningKey", "deed, such as `change`, `clear` or `get-raw`", for: .admins, changes: true) {
            call throws(CommandError) in
            let deed: MessageKeyDeed = try call.word()
            switch deed {
            case .change: return .changeMessageKey(isCleared: false)
            case .clear: return .changeMessageKey(isCleared: true)
            case .raw: return .getMessageKey(.raw)
            case .base64: return .getMessageKey(.base64)
            case .base64url: return .getMessageKey(.base64url)
            }
        },
    ]

    fileprivate static let encrypted = CommandOption("-jwe")

    private enum MessageKeyDeed: String, CaseIterable {
        case change, clear
        case raw = "get-raw"
        case base64 = "get-base64"
        case base64url = "get-base64url"
    }

    var onlyAsks: Bool {
        if case .getMessageKey = self { true } else { false }
    }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .get(let form, let isPlain, let use):
            let key = Self.key(use, of: account)
            effect.warn(Self.warning(onDerived: key, of: account))
            effect.printed = try Self.lines(of: key, form, isPlain: isPlain)
        case .getJWK(let path, let isSet, let use):
            let key = Self.key(use, of: account)
            effect.warn(Self.warning(onDerived: key, of: account))
            let text = isSet ? KeyJSON.secretSet(key) : KeyJSON.secret(key)
            try effect.write(text, to: path, isSecret: true, in: context)
            effect.reported = ["\(isSet ? "JWKS" : "JWK") written to file \(path)"]
        case .change(let isPrintable, let use):
            Self.change(use, isPrintable: isPrintable, &account, in: context, &effect)
        case .setKeyID(let id): account.keys.keyID = id
        case .getKeyID: effect.printed = [account.keys.keyID ?? "key ID has not been set"]
        case .changeMessageKey(let isCleared):
            if isCleared, account.keys.messageSigningKey == nil {
                throw CommandError("there is no message signing key")
            }
            effect.confirmation = .impact(of: "changing the message signing key")
            account.keys.messageSigningKey = isCleared ? nil : context.chance.messageSigningKey()
            effect.reported = account.keys.messageSigningKey.map { Self.lines(of: $0, .base64) } ?? [Self.cleared]
        case .getMessageKey(let form):
            guard let key = account.keys.messageSigningKey else {
                throw CommandError("there is no message signing key")
            }
            effect.printed = Self.lines(of: key, form)
        }
    }

    private static let cleared = "message signing key cleared"

    private static func change(
        _ use: SecretUse, isPrintable: Bool, _ account: inout Account, in context: CommandContext,
        _ effect: inout CommandEffect
    ) {
        switch use {
        case .signing:
            let secret = context.chance.accountSecret(isPrintable: isPrintable)
            account.keys.accountSecret = secret
            effect.reported = ["new base64 encoded account secret key is \(Base64.text(of: secret.bytes))"]
        case .encryption:
            let secret = context.chance.encryptionSecret()
            account.keys.encryptionSecret = secret
            effect.reported = ["new base64 encoded account JWE secret key is \(Base64.text(of: secret.bytes))"]
        }
    }

    private static func key(_ use: SecretUse, of account: Account) -> TokenKey {
        use == .encryption ? account.encryptionKey : account.signingKey
    }

    private static func lines(of key: TokenKey, _ form: SecretForm, isPlain: Bool) throws(CommandError) -> [String] {
        let bytes = key.secretBytes
        guard let text = form.text(of: bytes) else {
            throw CommandError(
                "the secret is not printable", hint: "`secret -change -forcePrintable` makes one that is")
        }
        if isPlain || form == .raw { return [text] }
        let decoding = "must be decoded to its binary form to verify Approov tokens"
        return ["note: secret is \(form.rawValue) encoded and \(decoding)", text]
    }

    private static func lines(of key: MessageSigningKey, _ form: SecretForm) -> [String] {
        ["key ID: \(key.id)", "encoding: \(form.rawValue)", form.text(of: key.secret.bytes) ?? ""]
    }

    /// The warning about the use of a key that is no secret because the account's key file has none; `nil` for every other key.
    package static func warning(onDerived key: TokenKey, of account: Account) -> String? {
        let (signs, encrypts) = (account.keys.accountSecret == nil, account.keys.encryptionSecret == nil)
        if signs, key == account.signingKey {
            return
                "the account secret is derived from the account's name, so it is not secret; `secret -change` makes one"
        }
        if encrypts, key == account.encryptionKey {
            return "the account's JWE secret is derived from the account's name, so it is not secret; "
                + "`secret -jwe -change` makes one"
        }
        return nil
    }
}

extension SecretTopic.SecretUse {
    fileprivate init(_ call: CommandInvocation) {
        self = call.has(SecretTopic.encrypted.name) ? .encryption : .signing
    }
}

/// The form in which a secret is printed (manual, Account Secret Key Export).
package enum SecretForm: String, Hashable, Sendable, CaseIterable {
    case base64, base64url
    /// As text, if it is printable.
    case raw

    /// Bytes in this form; `nil` where they are not printable and would have to be.
    func text(of bytes: [UInt8]) -> String? {
        switch self {
        case .base64: Base64.text(of: bytes)
        case .base64url: Base64.text(of: bytes, .url)
        case .raw: bytes.allSatisfy { 0x20...0x7E ~= $0 } ? String(decoding: bytes, as: UTF8.self) : nil
        }
    }
}
