internal import PolicyEngine

/// A registered app, in words (R15).
struct ReferenceRegistration: Hashable, Sendable {
    var signature: String
    var package: String?
    var version: String?
    var library: String?
    /// The SDK; nothing where it is not said, so that the platform is not known.
    var sdk: String?
    var isBundle = false
    var expiry: Instant?
}
