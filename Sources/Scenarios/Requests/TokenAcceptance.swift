internal import PolicyEngine
internal import Replay

/// Which tokens a backend takes at a time: it has the keys of the account that is in force (R19.4).
struct TokenAcceptance {
    private let history: AccountHistory
    private let domain: String
    private let key: TokenKey?
    private let messageKey: MessageSigningKey?
    // The relation of tokens to the keys, by the revision of the account that made them.
    private var known: [Revision?]
    // True for the moments of which tokens are made with the backend's key.
    private var verified: [AccountHistory.Moment: Bool] = [:]

    private struct Revision {
        /// True if tokens say that messages are signed.
        let isSigned: Bool
        /// True if messages are signed with the backend's key.
        let hasMessageKey: Bool
    }

    /// - Parameters:
    ///   - history: The account.
    ///   - domain: The domain of the backend.
    ///   - moment: The changes that are made and in force now.
    init(_ history: AccountHistory, domain: String, at moment: AccountHistory.Moment) {
        self.history = history
        self.domain = domain
        key = Self.key(history, domain, at: moment)
        messageKey = history.revisions[moment.inForce].account.activeMessageSigningKey
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
        guard decision.passed, time < decision.expires, isVerified(token.moment) else { return false }
        // Tokens of the failover carry neither `pay` nor `mskid` (R14.3).
        guard decision.service == .primary else { return true }
        if let bound = token.attested.boundData, bound != data { return false }
        guard revision.isSigned, messageKey != nil else { return true }
        return isSigned && revision.hasMessageKey
    }

    private mutating func isVerified(_ moment: AccountHistory.Moment) -> Bool {
        if let isVerified = verified[moment] { return isVerified }
        let other = Self.key(history, domain, at: moment)
        let isVerified = key != nil && other == key
        verified[moment] = isVerified
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

    private static func key(
        _ history: AccountHistory, _ name: String, at moment: AccountHistory.Moment
    ) -> TokenKey? {
        let account = history.account(forTokensOf: name, at: moment)
        return account.servedDomain(named: name).flatMap { try? account.tokenKey(for: $0) }
    }
}
