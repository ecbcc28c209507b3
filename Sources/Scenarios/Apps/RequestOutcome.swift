/// The outcome of a request (R19.5).
package enum RequestOutcome: String, Hashable, Sendable, CaseIterable {
    /// The backend took it.
    case accepted
    /// The backend did not.
    case refused
    /// The app did not connect, because of its pins or because the platform trusts no such certificate.
    case blocked
    /// Somebody between read it.
    case intercepted
    /// The app did not send it.
    case notSent = "not-sent"
    /// There was no network.
    case noConnection = "no-connection"

    /// The sentence on its number for people.
    var help: String {
        switch self {
        case .accepted: "The number of requests that the backend accepted."
        case .refused: "The number of requests that the backend refused."
        case .blocked: "The number of requests that the app's pins blocked."
        case .intercepted: "The number of requests that a proxy read."
        case .notSent: "The number of requests that the app did not send."
        case .noConnection: "The number of requests without a connection."
        }
    }
}
