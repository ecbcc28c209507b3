internal import PolicyEngine

/// The end of a fetch or a call, and of the request that it was made for.
struct FetchEnd {
    /// The client's status, or the result of a proof; `nil` where a request was not even tried.
    let result: String?
    var isCached = false
    /// True if a token came back: the install's, or the one that it had before.
    var hasToken = false
    /// The token that came back, where the install has another one by now.
    var earlierToken: CachedToken?
    /// The secure string that came back instead, or the token for no domain with its key.
    var value: String?
    var token: (text: String, key: TokenKey)?
    /// True if it is a call beside those for tokens; and the decision if that attested.
    var isCall = false
    var decision: Decision?
    /// `nil` for a fetch alone.
    var outcome: RequestOutcome?
    var notice = ConfigurationNotice()
}

/// A fetch or a call, as checks look into it.
struct ExaminedFetch {
    /// The install's number over all groups.
    let install: Int
    let device: DeviceID
    let end: FetchEnd
    /// The time at which the install's token was issued.
    let time: Instant?
    /// The token that the fetch came back with; `nil` if there is none.
    let token: CachedToken?
    /// True if the app can log tokens that name their key.
    let logsKeyIDs: Bool

    /// - Parameters:
    ///   - install: The install that made it.
    ///   - number: The install's number over all groups.
    ///   - service: The account's service.
    init(_ end: FetchEnd, by install: borrowing Install, number: Int, in service: SimulatedService) {
        (self.install, self.end) = (number, end)
        device = service.deviceID(of: install.attestation.device)
        time = install.token?.decision.time
        token = Self.token(of: end, by: install)
        logsKeyIDs = service.supports(.loggableKeyIDs, install.attestation)
    }

    /// The attestation behind it; `nil` where there is none.
    var decision: Decision? { token?.decision ?? end.decision }

    /// The attestation behind a fetch; `nil` where there is none.
    static func decision(behind end: FetchEnd, by install: borrowing Install) -> Decision? {
        token(of: end, by: install)?.decision ?? end.decision
    }

    private static func token(of end: FetchEnd, by install: borrowing Install) -> CachedToken? {
        end.hasToken ? end.earlierToken ?? install.token : nil
    }

    /// The result in words.
    var result: String { end.result ?? Self.noFetch }

    /// The result of a request that was not even tried.
    static let noFetch = "no fetch"
}
