internal import PolicyEngine

/// What the service kept of one attestation: what was sent, and what was decided.
struct DeviceInformation {
    let attestation: Attestation
    let decision: Decision
}
