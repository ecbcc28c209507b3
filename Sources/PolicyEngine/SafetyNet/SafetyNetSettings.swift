/// An account's integration with Google's SafetyNet (R9).
public struct SafetyNetSettings: Hashable, Sendable {
    /// The API key; without one SafetyNet is off.
    public var apiKey: String?
    /// Attestations that the key is good for on one UTC day (R9.3).
    public var dailyQuota: Int

    /// The quota of a key that was not raised.
    public static let defaultDailyQuota = 10_000

    /// Makes settings.
    public init(apiKey: String?, dailyQuota: Int = defaultDailyQuota) {
        self.apiKey = apiKey
        self.dailyQuota = dailyQuota
    }
}
