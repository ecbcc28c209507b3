/// Where the attestations that an engine judges come from (R10, last part).
public enum AttestationSource: Hashable, Sendable {
    /// From a capture: the flags are what the service saw.
    case capture
    /// From simulated devices: what a service finds out about them is derived (R10, step 4).
    case simulation
}
