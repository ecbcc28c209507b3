/// What an attestation response code says (R12.3).
public struct ResponseMeaning: Hashable, Sendable {
    /// Whether the attestation passed, so that the token is valid.
    public let passed: Bool
    /// The flags of the attestation, as far as a code can tell them.
    public let flags: FlagSet

    /// Makes a meaning.
    public init(passed: Bool, flags: FlagSet) {
        self.passed = passed
        self.flags = flags
    }
}
