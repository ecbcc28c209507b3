/// The result of an attestation, with its reasons; ``Engine`` and ``SymbolTable`` know the names.
public struct Decision: Hashable, Sendable {
    /// Every flag set, observed or derived.
    public let flags: FlagSet
    /// The flags that caused the rejection, if any did (R4.1).
    public let rejectingFlags: FlagSet
    @usableFromInline let annotatedFlags: FlagSet
    /// When it was made.
    public private(set) var time: Instant
    /// The device.
    public private(set) var device: DeviceIndex
    /// The filters that caused the rejection (R4.8).
    public let rejectingFilters: FilterSet
    /// The filters that matched.
    public let filters: FilterSet
    /// The filters whose search hit a limit, and so did not match (R7.2).
    public let limitHits: FilterSet
    // Numbers are kept short, since a decision is handed from one to another in each attestation.
    @usableFromInline let revisionNumber: UInt32
    @usableFromInline let lifetimeSeconds: Int32
    private let graceSeconds: Int32
    /// The policy that was applied, by its number in the revision.
    package let policy: PolicyNumber
    /// True if the token is valid (R4.1).
    public let passed: Bool
    /// True if the policy rejects everything (R4.5).
    public let isBlacklisted: Bool
    @usableFromInline let isAnnotated: Bool
    /// The service that made it; tokens of the failover carry fewer claims (R14.3).
    package let service: TokenService
    /// True if the device attests for the first time since its state was last cleared.
    public let isFirstAttestation: Bool

    init(
        of attestation: borrowing Attestation, revision: Int, policy: PolicyNumber, flags: FlagSet,
        rejections: (flags: FlagSet, filters: FilterSet, isBlacklisted: Bool), match: FilterMatch,
        annotations: FlagSet?, lifetime: (seconds: Int, grace: Int), service: TokenService, isFirstAttestation: Bool
    ) {
        (time, device) = (attestation.time, attestation.device)
        (self.policy, self.flags, self.service) = (policy, flags, service)
        (rejectingFlags, rejectingFilters, isBlacklisted) = rejections
        passed = rejections.flags.isEmpty && rejections.filters.isEmpty && !rejections.isBlacklisted
        (filters, limitHits) = (match.matched, match.limitHits)
        (annotatedFlags, isAnnotated) = (annotations ?? .empty, annotations != nil)
        revisionNumber = UInt32(truncatingIfNeeded: revision)
        lifetimeSeconds = Int32(truncatingIfNeeded: lifetime.seconds)
        graceSeconds = Int32(truncatingIfNeeded: lifetime.grace)
        self.isFirstAttestation = isFirstAttestation
    }

    /// The same decision on an attestation that another device made at another time.
    package func moved(to device: DeviceIndex, at time: Instant) -> Decision {
        var decision = self
        (decision.device, decision.time) = (device, time)
        return decision
    }

    /// The account that was in force, by its number in the ``AccountHistory``.
    @inlinable package var revision: Int { Int(revisionNumber) }

    /// The flags that the token names; `nil` where the policy annotates no token (R5.3).
    @inlinable public var annotations: FlagSet? { isAnnotated ? annotatedFlags : nil }

    /// Seconds for which a client uses the token (R11.1).
    @inlinable public var lifetime: Int { Int(lifetimeSeconds) }

    /// Seconds for which a backend takes it beyond that (R11.2).
    public var grace: Int { Int(graceSeconds) }

    /// When a backend stops taking the token: issue, lifetime and grace (R11.2).
    public var expires: Instant { time + lifetime + grace }

    /// True if the device counts as new (R10, step 2).
    @inlinable public var isNewDevice: Bool { flags.contains(.newDevice) }
}

/// The service that answers an attestation (R14.3).
package enum TokenService: Hashable, Sendable {
    /// The usual one, which does all that the rules say.
    case primary
    /// The one that takes over during an outage: no cloning detection, no SafetyNet, no filters, no sampling, no
    /// annotations, no response codes.
    case failover

    /// When the failover takes over: at the next whole minute, one minute later where the outage starts at a whole one
    /// (R14.3).
    ///
    /// - Parameter start: When the outage of the primary service started.
    package static func failoverStart(afterOutageAt start: Instant) -> Instant {
        Instant(secondsSinceEpoch: (start.minuteNumber + 1) * 60)
    }
}

extension Engine {
    /// The rejections of a decision, in words: flags in catalogue order, then `filter:<name>` in filter order, or
    /// `policy:blacklist` alone (R4.5, R4.8).
    ///
    /// - Parameters:
    ///   - decision: A decision of this engine.
    ///   - catalogue: The flags by which it was made.
    public func rejections(of decision: Decision, catalogue: FlagCatalogue) -> [String] {
        causes(of: decision, catalogue: catalogue).map(\.name)
    }

    /// The names of filters, in filter order.
    ///
    /// - Parameters:
    ///   - filters: Some filters.
    ///   - decision: The decision of this engine that they belong to.
    public func filterNames(_ filters: FilterSet, of decision: Decision) -> [String] {
        let all = history.revisions[decision.revision].account.filters
        return filters.map { all[$0].name }
    }

    /// The names of the filters that might have decided otherwise, had their searches not been given up (R7.2).
    ///
    /// - Parameter decision: A decision of this engine.
    package func unsearchedFilters(of decision: Decision) -> [String] {
        guard !decision.limitHits.isEmpty else { return [] }
        return filterNames(
            decision.limitHits.intersection(decidingFilters(ofRevision: decision.revision)), of: decision)
    }

    /// The filters of a revision that decisions depend on, by themselves or through a conjunction.
    package func decidingFilters(ofRevision revision: Int) -> FilterSet { compiled[revision].filters.deciding }

    /// True if a filter that matched puts the device's information into the ring of filtered devices (R7.5).
    package func capturesInformation(_ decision: Decision) -> Bool {
        !decision.filters.isEmpty
            && !decision.filters.intersection(compiled[decision.revision].filters.capturing).isEmpty
    }

    /// The policy that a decision was made by.
    public func policy(of decision: Decision) -> SecurityPolicy {
        compiled[decision.revision][decision.policy]
    }

    /// The policies that a revision can apply, by ``PolicyNumber``.
    package func policies(ofRevision revision: Int) -> [SecurityPolicy] { compiled[revision].policies }
}
