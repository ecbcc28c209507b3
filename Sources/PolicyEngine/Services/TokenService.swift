/// The service that answers an attestation (R14.3).
public enum TokenService: Hashable, Sendable {
    /// The usual one, which does all that the rules say.
    case primary
    /// The one that stands in during an outage: no cloning detection, no SafetyNet, no filters, no sampling, no
    /// annotations, no response codes.
    case failover
}
