/// A feature that an account may have beside tokens (R21.1).
package enum AccountFeature: String, Hashable, Sendable, CaseIterable {
    /// Strings that apps get once they pass.
    case secureStrings = "secure-strings"
    /// Tokens with claims of the app's.
    case customJWT = "custom-jwt"
    /// Measurements beside tokens, for proofs without network.
    case measurement
    /// Keys to sign messages with.
    case messageSigning = "message-signing"
}

extension Account {
    /// True if the account has a feature that has to be enabled for it.
    package func has(_ feature: AccountFeature) -> Bool { features?.contains(feature) ?? false }

    /// The key that apps get to sign messages with: the account's, unless its list of features leaves that out. Setting
    /// the key is what enables message signing (manual, Enabling Message Signing).
    package var activeMessageSigningKey: MessageSigningKey? {
        features?.contains(.messageSigning) == false ? nil : keys.messageSigningKey
    }
}

/// The keys under which secure strings are held (R21.2).
package enum SecureStringKey {
    /// The largest number of characters of a key.
    package static let length = 64

    /// True if a text can be a key: 1 to ``length`` Unicode scalars.
    package static func isKey(_ text: String) -> Bool { !text.isEmpty && text.unicodeScalars.count <= length }
}
