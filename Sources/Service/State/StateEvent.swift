package import PolicyEngine

/// Something that changed the service, as it is kept: what follows from it follows again when it is carried out again.
package struct StateEvent: Hashable, Sendable {
    package let kind: Kind
    /// When it happened, by the service's clock.
    package let time: Instant
    /// What it was: the record of an attestation, or JSON.
    package let body: [UInt8]

    /// What happened.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An attestation that the primary service answered.
        case attestation
        /// One that the failover answered.
        case failover
        /// A management command.
        case command
        /// A report of misuse that is kept.
        case report
        /// What answers from now on.
        case outage
        /// What API domains present from now on.
        case backends
        /// The clock was moved.
        case clock
    }

    init(_ kind: Kind, at time: Instant, _ body: [UInt8]) {
        (self.kind, self.time, self.body) = (kind, time, body)
    }
}
