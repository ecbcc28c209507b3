internal import PolicyEngine
internal import Replay

/// Which tokens a backend takes at a time: it has the keys of the account that is in force (R19.4).
struct TokenAcceptance {
    private let history: AccountHistory
    private let domain: String
    private let key: TokenKey?
    private let messageKey: MessageSigningKey?
    // By revision of the account: the relation of its tokens to the keys.
    private var known: [Revision?]
    // True for the changes after which tokens are made with the backend's key.
    private var verified: [Changes: Bool] = [:]

    // The changes that are in force, and those that are made, when a token is made.
    private struct Changes: Hashable {
        let inForce: Int
        let made: Int
    }

    private struct Revision {
        /// True if tokens say that messages are signed.
        let isSigned: Bool
        /// True if messages are signed with the backend's key.
        let hasMessageKey: Bool
    }

    /// - Parameters:
    ///   - history: The account.
    ///   - revision: The one that is in force.
    ///   - time: Now.
    init(_ history: AccountHistory, inForce revision: Int, domain: String, at time: Instant) {
        self.history = history
        self.domain = domain
        key = Self.key(history, domain, at: time)
        messageKey = history.revisions[revision].account.activeMessageSigningKey
        known = Array(repeating: nil, count: history.revisions.count)
    }

    /// True if an app that got a token has a key to sign messages with; a fail gets one, too (R21.4).
    mutating func canSign(with decision: Decision) -> Bool {
        decision.service == .primary && revision(decision.revision).isSigned
    }

    /// True if the backend accepts a request.
    ///
    /// - Parameters:
    ///   - token: The token that it carries.
    ///   - data: The data in the header that the token may be bound to.
    ///   - isSigned: True if the message carries a signature.
    ///   - time: Now.
    mutating func accepts(_ token: CachedToken, boundTo data: String?, isSigned: Bool, at time: Instant) -> Bool {
        let decision = token.decision
        let revision = revision(decision.revision)
        guard decision.passed, time < decision.expires, isVerified(decision) else { return false }
        // Tokens of the failover carry neither `pay` nor `mskid` (R14.3).
        guard decision.service == .primary else { return true }
        if let bound = token.attested.boundData, bound != data { return false }
        guard revision.isSigned, messageKey != nil else { return true }
        return isSigned && revision.hasMessageKey
    }

    private mutating func isVerified(_ decision: Decision) -> Bool {
        let changes = Changes(inForce: decision.revision, made: history.count(madeBy: decision.time))
        if let isVerified = verified[changes] { return isVerified }
        let other = Self.key(history, domain, at: decision.time)
        let isVerified = key != nil && other == key
        verified[changes] = isVerified
        return isVerified
    }

    private mutating func revision(_ number: Int) -> Revision {
        if let revision = known[number] { return revision }
        let account = history.revisions[number].account
        let messageKey = account.activeMessageSigningKey
        let revision = Revision(
            isSigned: messageKey != nil, hasMessageKey: messageKey == self.messageKey)
        known[number] = revision
        return revision
    }

    private static func key(_ history: AccountHistory, _ name: String, at time: Instant) -> TokenKey? {
        let account = history.account(forTokensOf: name, at: time)
        return account.servedDomain(named: name).flatMap { try? account.tokenKey(for: $0) }
    }
}
