internal import PolicyEngine

/// What is told by name of an attestation whose verdict a change turned; worked out only where it is new.
struct ChangedAttestation {
    let device: DeviceID
    /// The flags that the side that rejects saw.
    let flags: [String]
    let before: ChangeFigures.Side
    let after: ChangeFigures.Side
    /// The app that it came with, as metrics tell it.
    let app: String?
    /// The same with its version.
    let version: String?
}
