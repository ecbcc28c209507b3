package import PolicyEngine

/// The attestations whose verdict a change turns one way.
package struct ChangeFigures: Sendable {
    /// How many attestations, or fetches of a scenario.
    package var events = 0
    /// How many of them are attestations.
    package var attestations = 0
    /// Of how many devices.
    package var devices = 0
    /// The fetches by those devices, where a capture of fetches weighs them; of a scenario, those that change.
    package var fetches: Int?
    /// By what they have in common; in each the largest first.
    package var splits: [Split] = []
    /// One device for each different reason, the commonest reasons first.
    package var examples: [Example] = []

    /// How many examples are kept.
    package static let exampleLimit = 10

    /// What was split by, and the parts.
    package struct Split: Sendable {
        /// `flag`, `filter`, `other`, `app`, `version` or `system`.
        package var kind: String
        package var parts: [Part]
    }

    /// One part of a split.
    package struct Part: Hashable, Sendable {
        package var name: String
        package var events: Int
        package var attestations: Int
        package var devices: Int
        /// The first device, and the number of its attestation.
        package var example: DeviceID
        package var index: Int
    }

    /// A device, and why its verdict changes.
    package struct Example: Hashable, Sendable {
        /// The number of the attestation.
        package var index: Int
        package var device: DeviceID
        package var time: Instant
        /// How many attestations, or fetches of a scenario, changed for the same reasons.
        package var events: Int
        /// How many of them are attestations.
        package var attestations: Int
        package var flags: [String]
        package var before: Side
        package var after: Side
    }

    /// What one side decided on an example.
    package struct Side: Hashable, Sendable {
        /// Whether there is a valid token.
        package var isValid: Bool
        /// The policy applied; empty where there is no token.
        package var policy: String
        /// Why there is none, or not a valid one.
        package var rejections: [String]
    }
}
