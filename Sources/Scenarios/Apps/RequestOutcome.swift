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
}
