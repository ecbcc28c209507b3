/// Why a client attests, as it tells the service (R14.2b).
enum AttestReason: String, Hashable, Sendable, CaseIterable {
    /// For the first time after a launch or an install.
    case launch
    /// The token had expired.
    case expiry
    /// The token no longer stood for what the device is like, what the app bound, or what it asked for.
    case change

    /// The attribute that tells it.
    static let key = "attest-reason"
}
