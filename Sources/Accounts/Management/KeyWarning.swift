internal import PolicyEngine

/// What there is to be warned about keys.
enum KeyWarning {
    /// That a key is no secret, because the account's key file has none; `nil` for every other key.
    static func derived(_ key: TokenKey, of account: Account) -> String? {
        let (signs, encrypts) = (account.keys.accountSecret == nil, account.keys.encryptionSecret == nil)
        if signs, key == account.signingKey {
            return "the account secret follows from the account's name, so it is no secret; `secret -change` makes one"
        }
        if encrypts, key == account.encryptionKey {
            return "the account's JWE secret follows from the account's name, so it is no secret; "
                + "`secret -jwe -change` makes one"
        }
        return nil
    }
}
