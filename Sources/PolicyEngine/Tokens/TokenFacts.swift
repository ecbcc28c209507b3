/// What a token tells beside what its decision says.
public struct TokenFacts: Hashable, Sendable {
    /// The device that attested.
    public var device: DeviceID
    /// The attestation response code; `nil` where the account has none.
    public var responseCode: String?
    /// The flags that it tells; `nil` where the policy tells none.
    public var annotations: [String]?
    /// The client's address, if it is known.
    public var address: String?
    /// The hash of the data that the app bound its tokens to, from ``TokenClaims/hash(of:)``.
    public var dataHash: String?

    /// Makes facts of which only the device is known.
    public init(device: DeviceID) {
        self.device = device
    }
}
