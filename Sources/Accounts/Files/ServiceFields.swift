internal import Documents
internal import PolicyEngine

/// DeviceCheck in an account file (R8).
enum DeviceCheckFields {
    private static let teamID = "team-id"
    private static let keyID = "key-id"

    static let all: [Field<DeviceCheckSettings>] = [
        .optional(teamID, \.teamID, .text, "The developer team at Apple."),
        .optional(keyID, \.keyID, .text, "The key at Apple; without it, DeviceCheck is off."),
        .value(
            "bits", \.bits, .word, usually: DeviceCheckSettings.Bits.none,
            "The bits that Apple keeps for a device and that ban it."),
        .value(
            "expiry", \.expiry, .integer(in: AccountLimits.deviceCheckExpiry),
            usually: DeviceCheckSettings.defaultExpiry, "The months after which a bit at Apple no longer bans."),
    ]

    /// Reads the mapping.
    ///
    /// - Parameter team: The team that the account says itself.
    static func load(_ node: Node, team: String?, _ reader: inout DocumentReader) -> DeviceCheckSettings {
        let usual = DeviceCheckSettings(teamID: team)
        guard var settings = all.read(node, "`devicecheck`", from: usual, &reader) else { return usual }
        if let team, let id = node[teamID], let text = settings.teamID, team != text {
            reader.error("`team-id` is \(text.quoted), but `team` is \(team.quoted)", at: id.position)
        }
        settings.teamID = settings.teamID ?? team
        if node[keyID] == nil {
            reader.warning("`devicecheck` without `key-id` is off until a key is added", at: node.position)
        }
        return settings
    }

    /// The settings in a file where the account itself has the key `team`.
    static func valueBesideTeam(of settings: DeviceCheckSettings) -> DocumentValue {
        .mapping(all.values(of: settings).map { $0.key == teamID ? $0.unneeded : $0 })
    }
}

/// SafetyNet in an account file (R9).
enum SafetyNetFields {
    private static let apiKey = "api-key"

    static let all: [Field<SafetyNetSettings>] = [
        .optional(apiKey, \.apiKey, .text, "The key at Google; without it, SafetyNet is off."),
        .value(
            "daily-quota", \.dailyQuota, .integer(in: 0...1_000_000_000), usually: SafetyNetSettings.defaultDailyQuota,
            "The number of requests a day that Google answers."),
    ]

    /// Reads the mapping.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> SafetyNetSettings? {
        let settings = all.read(node, "`safetynet`", from: SafetyNetSettings(apiKey: nil), &reader)
        if settings != nil, node[apiKey] == nil {
            reader.warning("`safetynet` without `api-key` is off until a key is set", at: node.position)
        }
        return settings
    }
}
