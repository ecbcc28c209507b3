/// What the engine decided on one attestation, and why; ``Engine`` and ``SymbolTable`` tell the names.
public struct Decision: Hashable, Sendable {
    /// When it was made.
    public let time: Instant
    /// The device.
    public let device: DeviceIndex
    /// The account that was in force, by its number in the ``AccountHistory``.
    public let revision: Int
    /// Whether the token is valid (R4.1).
    public let passed: Bool
    /// Every flag set, observed or derived.
    public let flags: FlagSet
    /// The flags that caused the rejection, if any did (R4.1).
    public let rejectingFlags: FlagSet
    /// The filters that caused it (R4.8).
    public let rejectingFilters: FilterSet
    /// Whether the policy rejects everything (R4.5).
    public let isBlacklisted: Bool
    /// The filters that matched.
    public let filters: FilterSet
    /// The filters whose search hit a limit, and so did not match (R7.2).
    public let limitHits: FilterSet
    /// The policy that was applied, by its number in the revision.
    public let policy: PolicyNumber
    /// Where a token can carry annotations: the flags it tells; else `nil` (R5.3).
    public let annotations: FlagSet?
    /// Seconds for which a client uses the token (R11.1).
    public let lifetime: Int
    /// Seconds for which a backend takes it beyond that (R11.2).
    public let grace: Int
    /// The service that made it; tokens of the failover tell less (R14.3).
    public let service: TokenService
    /// Whether the device attests for the first time since its state was last cleared.
    public let isFirstAttestation: Bool

    /// When a backend stops taking the token: issue, lifetime and grace (R11.2).
    public var expires: Instant { time + lifetime + grace }

    /// Whether the device counts as new (R10, step 2).
    public var isNewDevice: Bool { flags.contains(.newDevice) }
}
