/// The destination of requests, and the data that they carry (R19).
struct RequestTarget: Hashable, Sendable {
    /// As it was written.
    let text: String
    /// The domain in lower case.
    let host: String
    /// True if it is plain HTTP, to which no token is sent and no pin applies (R19.7).
    let isPlain: Bool
    /// The value of the header that tokens are bound to.
    var header = HeaderValue.ofDevice
    /// The group whose tokens are sent in place of the app's own, by its index (R19.8).
    var tokenGroup: Int?

    /// The value of a header.
    enum HeaderValue: Hashable, Sendable {
        /// One of each device's own.
        case ofDevice
        /// The same of all.
        case text(String)
        /// There is no such header.
        case absent
    }

    /// - Parameter text: A domain, or a URL with `https` or `http`.
    /// - Returns: `nil` for what is neither.
    init?(_ text: String) {
        if let domain = RequestedDomain.domain(of: text) {
            (host, isPlain) = (domain.lowercased(), false)
        } else if let domain = RequestedDomain.domain(of: text, scheme: "http") {
            (host, isPlain) = (domain.lowercased(), true)
        } else {
            return nil
        }
        self.text = text
    }
}
