/// What a physical device answers when a DeviceCheck token is asked of it (R8.2).
public enum DeviceCheckCapability: String, Hashable, Sendable, CaseIterable {
    /// A token that Apple takes.
    case available
    /// No token: the system is too old, or not on real hardware.
    case unavailable
    /// A token that Apple refuses.
    case invalid
}
