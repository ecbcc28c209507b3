internal import PolicyEngine

/// Keys for other services in the words of the manual (Apple DeviceCheck Integration, Google SafetyNet Integration).
enum ServiceText {
    /// What `devicecheck -get` prints.
    static func lines(of settings: DeviceCheckSettings?) -> [String] {
        guard let settings, let keyID = settings.keyID else { return ["device check information has not been set"] }
        return [
            "TeamID: \(settings.teamID ?? "")", "KeyID: \(keyID)", "Expiry: \(settings.expiry)m",
            "Bits: \(settings.bits.rawValue)", "Apple Endpoint: Production",
        ]
    }

    /// What `safetynet -get` prints.
    static func lines(of settings: SafetyNetSettings?) -> [String] {
        [settings?.apiKey.map { "APIKey: \($0)" } ?? "safetynet API key has not been set"]
    }
}
