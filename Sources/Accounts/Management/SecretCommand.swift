/// A command of the topic `secret` (manual, Account Secret Key Export and what follows; Key IDs; Message Signing).
package enum SecretCommand: Hashable, Sendable {
    /// `-get base64|base64url|raw [-plain] [-jwe]`
    case get(SecretForm, isPlain: Bool, SecretUse)
    /// `-getJWK file [-jwe]`, `-getJWKS file [-jwe]`
    case getJWK(file: String, isSet: Bool, SecretUse)
    /// `-change [-forcePrintable] [-jwe]`
    case change(isPrintable: Bool, SecretUse)
    /// `-setKeyID name`, `-clearKeyID`
    case setKeyID(String?)
    /// `-getKeyID`
    case getKeyID
    /// `-messageSigningKey change`, `-messageSigningKey clear`
    case changeMessageKey(isCleared: Bool)
    /// `-messageSigningKey get-raw|get-base64|get-base64url`
    case getMessageKey(SecretForm)

    /// What the account's secret is for.
    package enum SecretUse: Hashable, Sendable {
        /// Signed tokens.
        case signing
        /// Encrypted ones: `-jwe`.
        case encryption
    }

    /// Whether it makes another account.
    var changesAccount: Bool {
        switch self {
        case .change, .setKeyID, .changeMessageKey: true
        case .get, .getJWK, .getKeyID, .getMessageKey: false
        }
    }

    /// Whether it needs an admin role: whoever sees or changes a secret can make valid tokens.
    var needsAdmin: Bool {
        switch self {
        case .get, .getJWK, .change, .changeMessageKey, .getMessageKey: true
        case .setKeyID, .getKeyID: false
        }
    }

    /// What has to be confirmed.
    var confirmation: CommandConfirmation? {
        switch self {
        case .change: .impact(of: "updating the account secret key")
        case .changeMessageKey: .impact(of: "changing the message signing key")
        case .get, .getJWK, .setKeyID, .getKeyID, .getMessageKey: nil
        }
    }
}
