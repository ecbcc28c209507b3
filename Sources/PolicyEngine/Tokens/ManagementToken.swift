/// Management tokens: with which a user gives commands in a role (R24.2).
///
/// They are of our own form, and signed by a key that follows from the account's secret and makes nothing else: no backend
/// takes one for a token of the service, and no such token for one of these.
package enum ManagementToken {
    /// The token of a user role.
    ///
    /// It is a secret. It says nothing that the account does not say, and holds as long as the account says.
    package static func text(of user: UserRole, account: Account) -> String {
        var json = JSONBytes()
        json.raw("{\"account\":")
        json.string(account.name)
        json.raw(",\"exp\":")
        json.integer(user.expiry.secondsSinceEpoch)
        if let added = user.added {
            json.raw(",\"iat\":")
            json.integer(added.secondsSinceEpoch)
        }
        json.raw(",\"jti\":")
        json.string(user.id)
        json.raw(",\"name\":")
        json.string(user.name)
        json.raw("}")
        do throws(TokenKeyError) {
            return try TokenSigner(key: account.managementKey).token(json.bytes)
        } catch {
            preconditionFailure("a shared secret signs: \(error)")
        }
    }

    /// The user role whose token a text is.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - account: The account that made it.
    ///   - time: Now.
    /// - Throws: ``AccessError``; it holds nothing of the text.
    /// - Complexity: O(length + users). The signature is compared in constant time.
    package static func user(of text: String, account: Account, at time: Instant) throws(AccessError) -> UserRole {
        let claims: ReceivedClaims
        do throws(TokenError) {
            claims = try ReceivedClaims(try TokenVerifier(key: account.managementKey).payload(of: text))
        } catch {
            throw .invalid
        }
        guard claims.text(of: "account") == account.name, let id = claims.text(of: "jti") else { throw .invalid }
        // One that was removed from the file is gone as well, and an ID that was given again is another's.
        guard let user = account.users?.first(where: { $0.id == id }),
            claims.value(of: "iat")?.integer == user.added?.secondsSinceEpoch,
            !user.isRefused(at: time, propagation: account.propagation)
        else { throw .ended }
        return user
    }
}

extension Account {
    // The key of management tokens. It follows from the account's secret and changes with it, and is used for nothing else.
    fileprivate var managementKey: TokenKey {
        let secret = MessageAuthenticator(key: accountSecret.bytes, hash: .sha512).code(
            of: Array("management token v1".utf8))
        do throws(TokenKeyError) {
            return try TokenKey(secret: Secret(secret), algorithm: .hs256)
        } catch {
            preconditionFailure("64 bytes are a key: \(error)")
        }
    }
}

/// Why a management token gives no access.
package enum AccessError: Error, Hashable, Sendable {
    /// It is no management token of the account.
    case invalid
    /// The role was revoked or has expired.
    case ended
}

extension AccessError: CustomStringConvertible {
    /// The error in words, in those of the manual if it has some (Revoking User Access). Nothing of the token is in it.
    package var description: String {
        switch self {
        case .invalid: "that is not a management token of the account"
        case .ended: "Forbidden, while getting management token status"
        }
    }
}
