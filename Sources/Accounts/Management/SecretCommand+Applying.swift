internal import PolicyEngine

extension SecretCommand {
    /// Carries the command out.
    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .get(let form, let isPlain, let use):
            let key = Self.key(use, of: account)
            effect.warn(KeyWarning.derived(key, of: account))
            effect.printed = try Self.lines(of: key, form, isPlain: isPlain)
        case .getJWK(let path, let isSet, let use):
            let key = Self.key(use, of: account)
            effect.warn(KeyWarning.derived(key, of: account))
            let text = isSet ? KeyJSON.secretSet(key) : KeyJSON.secret(key)
            try effect.write(text, to: path, isSecret: true, in: context)
            effect.reported = ["\(isSet ? "JWKS" : "JWK") written to file \(path)"]
        case .change(let isPrintable, let use): change(use, isPrintable: isPrintable, &account, in: context, &effect)
        case .setKeyID(let id): account.keys.keyID = id
        case .getKeyID: effect.printed = [account.keys.keyID ?? "key ID has not been set"]
        case .changeMessageKey(let isCleared):
            if isCleared, account.keys.messageSigningKey == nil {
                throw CommandError("there is no message signing key")
            }
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

    private func change(
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
}

extension SecretForm {
    /// Bytes in this form; `nil` where they are not printable and would have to be.
    func text(of bytes: [UInt8]) -> String? {
        switch self {
        case .base64: Base64.text(of: bytes)
        case .base64url: Base64.text(of: bytes, .url)
        case .raw: bytes.allSatisfy { 0x20...0x7E ~= $0 } ? String(decoding: bytes, as: UTF8.self) : nil
        }
    }
}
