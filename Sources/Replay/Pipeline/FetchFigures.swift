package import PolicyEngine

/// How often devices fetched tokens.
package struct FetchFigures: Hashable, Sendable {
    /// Fetches in all.
    package var total = 0
    /// Devices that fetched.
    package var devices = 0
    /// Malformed lines that were left out.
    package var malformed = 0
    /// The first and last time that a fetch tells.
    package var span: ClosedRange<Instant>?
    /// The devices that fetch most, most first; at most ``mostLimit``.
    package var most: [Device] = []
    /// The fetches by the verdict of the device's latest attestation, where a capture tells it.
    package var weights: Weights?

    /// How many devices are named.
    package static let mostLimit = 10

    package struct Device: Hashable, Sendable {
        package var id: DeviceID
        package var fetches: Int
        /// The verdict of its latest attestation, where a capture tells it.
        package var passed: Bool?
    }

    package struct Weights: Hashable, Sendable {
        package var passed = 0
        package var failed = 0
        /// Fetches of devices that the capture lacks.
        package var unknown = 0
    }
}
