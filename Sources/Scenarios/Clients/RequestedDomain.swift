internal import Figures
internal import PolicyEngine

/// The API domain that a fetch names, and whether the account serves it.
struct RequestedDomain {
    /// Why there is no token for it, if there is none.
    let refusal: FetchResult?
    /// True if a measurement is asked for, so that no cached token will do (R22.1).
    private(set) var isMeasured = false
    // The name among the domains of the account; `nil` where the fetch names none.
    private let requested: (name: String, history: AccountHistory, now: AccountHistory.Moment)?

    /// A fetch that names no domain: any token serves.
    static let any = RequestedDomain(refusal: nil, requested: nil)

    private init(
        refusal: FetchResult?, requested: (name: String, history: AccountHistory, now: AccountHistory.Moment)?
    ) {
        (self.refusal, self.requested) = (refusal, requested)
    }

    /// Finds the domain of a fetch.
    ///
    /// - Parameters:
    ///   - text: The app's text: a domain, or a whole URL (manual, Token Fetch Errors).
    ///   - history: The account.
    ///   - time: Now.
    init(_ text: String, in history: AccountHistory, at time: Instant) {
        guard let name = Self.domain(of: text) else {
            self.init(refusal: .badURL, requested: nil)
            return
        }
        let now = history.moment(at: time)
        let refusal: FetchResult? =
            switch history.access(toDomain: name, at: now) {
            case .served: nil
            case .unprotected: .unprotectedURL
            case .unknown: .unknownURL
            }
        self.init(refusal: refusal, requested: (name, history, now))
        isMeasured = Self.asksForMeasurement(text)
    }

    /// True if an attestation brought a token for the domain.
    ///
    /// - Parameter moment: The moment of the attestation.
    func isServed(byTokenOf moment: AccountHistory.Moment) -> Bool {
        guard let (name, history, now) = requested, !history.hasSameAccess(at: moment, now) else {
            return refusal == nil
        }
        return history.access(toDomain: name, at: moment) == .served
    }

    /// True if a text asks for a measurement beside the token (R22.1).
    static func asksForMeasurement(_ text: String) -> Bool { APIDomain.asksForMeasurement(text) }

    /// The domain in a text: the text itself, or the host of a URL with `https`; `nil` for anything else.
    static func domain(of text: String) -> String? { APIDomain.name(in: text) }

    /// The host of a URL of one scheme; `nil` for a URL of another one, and for what is none.
    static func domain(of url: String, scheme: String) -> String? { APIDomain.name(in: url, scheme: scheme) }
}
