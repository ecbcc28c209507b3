/// An account's integration with Apple's DeviceCheck (R8.1).
package struct DeviceCheckSettings: Hashable, Sendable {
    /// The developer team whose devices share bits.
    @ByteExact package var teamID: String?
    /// The key's ID; without one DeviceCheck is off.
    @ByteExact package var keyID: String?
    /// Which bits carry bans.
    package var bits: Bits
    /// Months after which a setting counts as not found.
    package var expiry: Int

    /// Which of Apple's two bits are used.
    package enum Bits: String, Hashable, Sendable, CaseIterable {
        case none, bit0, bit1, both
    }

    /// The months of expiry of a new integration.
    package static let defaultExpiry = 12

    /// Makes settings.
    package init(teamID: String? = nil, keyID: String? = nil, bits: Bits = .none, expiry: Int = defaultExpiry) {
        self.teamID = teamID
        self.keyID = keyID
        self.bits = bits
        self.expiry = expiry
    }
}

/// An account's integration with Google's SafetyNet (R9).
package struct SafetyNetSettings: Hashable, Sendable {
    /// The API key; without one SafetyNet is off.
    @ByteExact package var apiKey: String?
    /// Attestations that the key is good for on one UTC day (R9.3).
    package var dailyQuota: Int

    /// The quota of a key that was not raised.
    package static let defaultDailyQuota = 10_000

    /// Makes settings.
    package init(apiKey: String?, dailyQuota: Int = defaultDailyQuota) {
        self.apiKey = apiKey
        self.dailyQuota = dailyQuota
    }
}
