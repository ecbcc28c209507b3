// With what the tokens of an account are made.
extension Account {
    /// The secret that tokens of the type `account` are signed with: its own, or else one that follows from its name.
    package var accountSecret: Secret {
        keys.accountSecret ?? Secret(Cryptography.sha512(of: Array("account-secret|\(name)".utf8)))
    }

    /// The secret that tokens of the type `account` are encrypted with, likewise.
    package var encryptionSecret: Secret {
        keys.encryptionSecret ?? Secret(Cryptography.sha256(of: Array("encryption-secret|\(name)".utf8)))
    }

    /// The key with which backends ask the service: its own, or else one that follows from its name (R23.1).
    package var apiKey: APIKey {
        keys.apiKey ?? APIKey(drawing: Cryptography.sha512(of: Array("api-key|\(name)".utf8)))
    }

    /// The key that signs tokens of the type `account`.
    public var signingKey: TokenKey {
        Self.key(accountSecret, .hs256, id: keys.keyID)
    }

    /// The key that encrypts tokens of the type `account`; a key ID does not affect them (manual, Key IDs).
    public var encryptionKey: TokenKey {
        Self.key(encryptionSecret, .a256gcmkw, id: nil)
    }

    /// The issuer that tokens name: the account, and whose it is (manual, Issuer Inclusion).
    package var issuer: String { "\(name).approov.io" }

    /// The domain of a name, in any case; one that is signed by the account where the account has no list, so that
    /// any domain is served (R14.2a).
    ///
    /// - Returns: `nil` for a domain that is not among those of the account.
    package func tokenDomain(named name: String) -> APIDomain? {
        if let known = apiDomains.first(where: { $0.isNamed(name) }) { return known }
        return listsAPIDomains || !APIDomain.isName(name) ? nil : APIDomain(name: name)
    }

    /// The domain of a name, if there are tokens for it.
    package func servedDomain(named name: String) -> APIDomain? {
        tokenDomain(named: name).flatMap { $0.type == .pinOnly ? nil : $0 }
    }

    /// The key that tokens for a domain are made with.
    ///
    /// - Throws: ``TokenIssueError`` where there are no tokens for it, or the key is not there.
    public func tokenKey(for domain: APIDomain) throws(TokenIssueError) -> TokenKey {
        switch domain.type {
        case .account: return try accountKey(for: domain)
        case .keyset: return try keySetKey(for: domain)
        case .restricted: return Self.restrictedKey(for: domain)
        case .pinOnly: throw .unprotected(domain.name)
        }
    }

    private func accountKey(for domain: APIDomain) throws(TokenIssueError) -> TokenKey {
        switch domain.tokenAlgorithm {
        case TokenAlgorithm.hs256.rawValue: return signingKey
        case TokenAlgorithm.a256gcmkw.rawValue: return encryptionKey
        default: throw .wrongAlgorithm(domain.tokenAlgorithm ?? "", domain: domain.name)
        }
    }

    private func keySetKey(for domain: APIDomain) throws(TokenIssueError) -> TokenKey {
        guard let id = domain.keyID, let key = keys.keySet.key(named: id) else {
            throw .missingKey(domain.keyID, domain: domain.name)
        }
        guard domain.algorithm == nil || domain.algorithm == key.algorithm.rawValue else {
            throw .wrongAlgorithm(domain.algorithm ?? "", domain: domain.name)
        }
        guard key.isPrivate else { throw .missingKey(id, domain: domain.name) }
        return key
    }

    /// The key of a domain that is managed for the account. The real one is accessible to nobody; this one follows from
    /// the domain's name.
    static func restrictedKey(for domain: APIDomain) -> TokenKey {
        let secret = Cryptography.sha512(of: Array("restricted-secret|\(domain.name.lowercased())".utf8))
        return key(Secret(secret), .hs256, id: nil)
    }

    private static func key(_ secret: Secret, _ algorithm: TokenAlgorithm, id: String?) -> TokenKey {
        do throws(TokenKeyError) {
            return try TokenKey(secret: secret, algorithm: algorithm, id: id)
        } catch {
            preconditionFailure("secrets of accounts have their lengths: \(error)")
        }
    }

    /// The account with the keys of another.
    package func withKeys(of other: Account) -> Account {
        var account = self
        (account.keys, account.responseCodeSecret) = (other.keys, other.responseCodeSecret)
        return account
    }

    /// True if both accounts have the same keys, the secret of response codes included.
    package func hasKeys(of other: Account) -> Bool {
        keys == other.keys && responseCodeSecret == other.responseCodeSecret
    }

    /// The account without what its key file says.
    package var withoutKeys: Account {
        var account = self
        (account.keys, account.responseCodeSecret) = (AccountKeys(), nil)
        return account
    }
}
