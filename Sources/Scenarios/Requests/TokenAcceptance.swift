internal import PolicyEngine
internal import Replay

/// Which tokens a backend takes at a time: it has the keys of the account that is in force (R19.4).
struct TokenAcceptance {
    private let history: AccountHistory
    private let domain: String
    private let key: TokenKey?
    private let messageKey: MessageSigningKey?
    // By revision of the account: how its tokens stand to the keys.
    private var known: [Revision?]

    private struct Revision {
        /// Whether tokens are made with the backend's key.
        let isVerified: Bool
        /// Whether tokens say that messages are signed.
        let isSigned: Bool
        /// Whether they are signed with the backend's key.
        let hasMessageKey: Bool
    }

    /// - Parameters:
    ///   - history: The account.
    ///   - revision: The one that is in force.
    ///   - domain: The domain.
    init(_ history: AccountHistory, inForce revision: Int, domain: String) {
        self.history = history
        self.domain = domain
        // A domain that was removed leaves its backend as it was.
        key =
            history.revisions[...revision].reversed().lazy.compactMap { Self.key($0.account, domain) }.first
            ?? Self.key(history.latest, domain)
        messageKey = history.revisions[revision].account.activeMessageSigningKey
        known = Array(repeating: nil, count: history.revisions.count)
    }

    /// Whether an app that got a token has a key to sign messages with; a fail gets one, too (R21.4).
    mutating func canSign(with decision: Decision) -> Bool {
        decision.service == .primary && revision(decision.revision).isSigned
    }

    /// Whether the backend takes a request.
    ///
    /// - Parameters:
    ///   - token: The token that it carries.
    ///   - data: What the header carries that the token may be bound to.
    ///   - isSigned: Whether the message carries a signature.
    ///   - time: Now.
    mutating func accepts(_ token: CachedToken, boundTo data: String?, isSigned: Bool, at time: Instant) -> Bool {
        let decision = token.decision
        let revision = revision(decision.revision)
        guard decision.passed, revision.isVerified, time < decision.expires else { return false }
        // Tokens of the failover carry neither `pay` nor `mskid` (R14.3).
        guard decision.service == .primary else { return true }
        if let bound = token.attested.boundData, bound != data { return false }
        guard revision.isSigned, messageKey != nil else { return true }
        return isSigned && revision.hasMessageKey
    }

    private mutating func revision(_ number: Int) -> Revision {
        if let revision = known[number] { return revision }
        let account = history.revisions[number].account
        // R1.5: an added domain is served at once, with keys that are in force only later.
        let served =
            account.tokenDomain(named: domain) == nil ? history.latest.withKeys(of: account) : account
        let ownKey = account.activeMessageSigningKey
        let revision = Revision(
            isVerified: Self.key(served, domain) == key, isSigned: ownKey != nil, hasMessageKey: ownKey == messageKey)
        known[number] = revision
        return revision
    }

    private static func key(_ account: Account, _ domain: String) -> TokenKey? {
        account.tokenDomain(named: domain).flatMap { try? account.tokenKey(for: $0) }
    }
}
