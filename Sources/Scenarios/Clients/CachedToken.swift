internal import PolicyEngine
internal import Replay

/// A token in a client's cache, and the attestation behind it (R14.1).
struct CachedToken: Sendable {
    let decision: Decision
    /// The attestation that was sent for it, and the data that the app had bound its tokens to.
    var attested: TokenIssuer.Attested
    /// The flags observed when it was issued; one more ends it.
    let observedFlags: FlagSet
    /// True if the app has bound its tokens to other data since then.
    var isOutdated = false

    /// The changes of the account that were made and in force when it was issued.
    var moment: AccountHistory.Moment { attested.moment(of: decision) }

    /// True if its lifetime is over at a time.
    func hasExpired(at time: Instant) -> Bool { time - decision.time >= decision.lifetime }

    /// True if backends accept it only because the manual's "few seconds" are decided to be 10 (R11.2).
    func isInUsualGrace(at time: Instant) -> Bool {
        hasExpired(at: time) && decision.grace == Account.usualGrace
    }

    /// True if the client returns it instead of attesting.
    func serves(at time: Instant, observing flags: FlagSet) -> Bool {
        !isOutdated && !hasExpired(at: time) && observedFlags.isSuperset(of: flags)
    }
}

/// Why a client attests, as it reports to the service (R14.2b).
enum AttestReason: String, Hashable, Sendable, CaseIterable {
    /// For the first time after a launch or an install.
    case launch
    /// The token had expired.
    case expiry
    /// The token no longer stood for what the device is like, what the app bound, or what it asked for.
    case change

    /// The attribute that names the reason.
    static let key = InformationKeys.attestReason
}
