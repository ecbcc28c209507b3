internal import PolicyEngine

/// A registered app, in words (R15).
struct ReferenceRegistration: Hashable, Sendable {
    var signature: String
    var package: String?
    var version: String?
    var expiry: Instant?
}
