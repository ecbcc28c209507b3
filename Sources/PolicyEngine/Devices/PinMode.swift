/// How pins are handled for a device with an entry of its own (R6.6).
public enum PinMode: String, Hashable, Sendable, CaseIterable {
    /// The account's pins; the default.
    case pin
    /// No pins.
    case unpin
    /// A pin that never fits, for the account's domains.
    case block
    /// The same, and every fetch that needs a new token ends `MITM_DETECTED`.
    case blockAll
}
