internal import PolicyEngine

/// A device and what can be found out of it, in words.
struct ReferencePhone: Hashable, Sendable {
    /// `ios`, `android` or something else.
    var system: String
    /// Equal numbers share the hardware.
    var hardware: Int
    /// The device ID that it has now.
    var id: String
    /// Its answer to DeviceCheck; `nil` if that is not simulated.
    var capability: String?
    /// The result of SafetyNet; `nil` if that is not simulated.
    var outcome: String?
    var launched: Instant
    var isFirstSinceLaunch = true
    var isRegistered = true
}
