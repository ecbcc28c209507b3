package import PolicyEngine

/// Something that changed the service, as it is kept: what follows from it follows again when it is carried out again.
package struct StateEvent: Hashable, Sendable {
    package let kind: Kind
    /// When it happened, by the service's clock.
    package let time: Instant
    /// The content: the record of an attestation, or JSON.
    package let body: [UInt8]

    /// The kind of an event.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An attestation that the primary service answered.
        case attestation
        /// One that the failover answered.
        case failover
        /// A management command.
        case command
        /// A report of misuse that is kept.
        case report
        /// The parts of the service that answer changed.
        case outage
        /// The chains that API domains present changed.
        case backends
        /// The clock was moved.
        case clock
    }

    init(_ kind: Kind, at time: Instant, _ body: [UInt8]) {
        (self.kind, self.time, self.body) = (kind, time, body)
    }
}
