/// An account's integration with Apple's DeviceCheck (R8.1).
public struct DeviceCheckSettings: Hashable, Sendable {
    /// The developer team whose devices share bits.
    public var teamID: String?
    /// The key's ID; without one DeviceCheck is off.
    public var keyID: String?
    /// Which bits carry bans.
    public var bits: Bits
    /// Months after which a setting counts as not found.
    public var expiry: Int

    /// Which of Apple's two bits are used.
    public enum Bits: String, Hashable, Sendable, CaseIterable {
        case none, bit0, bit1, both
    }

    /// The months of expiry of a new integration.
    public static let defaultExpiry = 12

    /// Makes settings.
    public init(teamID: String? = nil, keyID: String? = nil, bits: Bits = .none, expiry: Int = defaultExpiry) {
        self.teamID = teamID
        self.keyID = keyID
        self.bits = bits
        self.expiry = expiry
    }
}
