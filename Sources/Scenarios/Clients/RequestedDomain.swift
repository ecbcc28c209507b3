internal import Figures
internal import PolicyEngine

/// The API domain that a fetch names, and when the account served it.
struct RequestedDomain {
    /// Why there is no token for it, if there is none.
    let refusal: FetchResult?
    // When tokens for it could be had: from the first instant on, before the second; `nil` is without end.
    private let served: [(from: Instant?, until: Instant?)]

    /// A fetch that names no domain: any token serves.
    static let any = RequestedDomain(refusal: nil, served: [(nil, nil)])

    /// True if a measurement is asked for, so that no cached token will do (R22.1).
    private(set) var isMeasured = false

    private init(refusal: FetchResult?, served: [(from: Instant?, until: Instant?)]) {
        self.refusal = refusal
        self.served = served
    }

    /// Finds the domain of a fetch.
    ///
    /// - Parameters:
    ///   - text: The app's text: a domain, or a whole URL (manual, Token Fetch Errors).
    ///   - history: The account.
    ///   - time: Now.
    init(_ text: String, in history: AccountHistory, at time: Instant) {
        guard let name = Self.domain(of: text) else {
            self.init(refusal: .badURL, served: [])
            return
        }
        let changes = history.domainChanges
        let starts = [nil] + changes.map(Optional.some)
        let ends = changes.map(Optional.some) + [nil]
        let before = changes.first.map { $0 + -1 } ?? time
        let served = zip(starts, ends).filter { start, _ in
            history.access(toDomain: name, at: start ?? before) == .served
        }
        let refusal: FetchResult? =
            switch history.access(toDomain: name, at: time) {
            case .served: nil
            case .unprotected: .unprotectedURL
            case .unknown: .unknownURL
            }
        self.init(refusal: refusal, served: served.map { (from: $0, until: $1) })
        isMeasured = Self.asksForMeasurement(text)
    }

    /// True if an attestation at a time brought a token for the domain.
    func isServed(byTokenFrom time: Instant) -> Bool {
        served.contains { span in
            (span.from.map { $0 <= time } ?? true) && (span.until.map { time < $0 } ?? true)
        }
    }

    /// True if a text asks for a measurement beside the token (R22.1).
    static func asksForMeasurement(_ text: String) -> Bool { APIDomain.asksForMeasurement(text) }

    /// The domain in a text: the text itself, or the host of a URL with `https`; `nil` for anything else.
    static func domain(of text: String) -> String? { APIDomain.name(in: text) }

    /// The host of a URL of one scheme; `nil` for a URL of another one, and for what is none.
    static func domain(of url: String, scheme: String) -> String? { APIDomain.name(in: url, scheme: scheme) }
}
