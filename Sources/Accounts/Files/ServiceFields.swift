internal import Documents
internal import PolicyEngine

/// DeviceCheck in an account file (R8).
enum DeviceCheckFields {
    /// The keys of the mapping, in their usual order.
    enum Key: String, CaseIterable {
        case teamID = "team-id"
        case keyID = "key-id"
        case bits, expiry
    }

    /// Reads the mapping.
    ///
    /// - Parameter team: The team that the account says itself.
    static func load(_ node: Node, team: String?, _ reader: inout DocumentReader) -> DeviceCheckSettings {
        var settings = DeviceCheckSettings(teamID: team)
        guard var mapping = reader.mapping(node, "`devicecheck`") else { return settings }
        if let id = mapping.take(Key.teamID), let text = reader.text(id, "`team-id`") {
            if let team, team != text {
                reader.error("`team-id` is \(text.quoted), but `team` is \(team.quoted)", at: id.position)
            }
            settings.teamID = text
        }
        let keyID = mapping.take(Key.keyID)
        settings.keyID = keyID.flatMap { reader.text($0, "`key-id`") }
        settings.bits = mapping.word(Key.bits, &reader) ?? settings.bits
        if let expiry = mapping.take(Key.expiry) {
            settings.expiry =
                reader.integer(expiry, "`expiry`", in: AccountLimits.deviceCheckExpiry) ?? settings.expiry
        }
        mapping.finish(&reader)
        if keyID == nil {
            reader.warning("`devicecheck` without `key-id` is off until a key is added", at: node.position)
        }
        return settings
    }

    /// The fields of the settings in a file.
    ///
    /// - Parameter hasTeam: True if the account itself has the key `team`.
    static func fields(of settings: DeviceCheckSettings, hasTeam: Bool) -> [DocumentField] {
        Key.allCases.map { key in
            switch key {
            case .teamID: DocumentField(key.rawValue, settings.teamID, isNeeded: !hasTeam)
            case .keyID: DocumentField(key.rawValue, settings.keyID)
            case .bits: DocumentField(key.rawValue, settings.bits.rawValue, isNeeded: settings.bits != .none)
            case .expiry:
                DocumentField(
                    key.rawValue, "\(settings.expiry)", isNeeded: settings.expiry != DeviceCheckSettings.defaultExpiry)
            }
        }
    }
}

/// SafetyNet in an account file (R9).
enum SafetyNetFields {
    /// The keys of the mapping, in their usual order.
    enum Key: String, CaseIterable {
        case apiKey = "api-key"
        case dailyQuota = "daily-quota"
    }

    /// The quotas that there can be.
    static let quotas = 0...1_000_000_000

    /// Reads the mapping.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> SafetyNetSettings? {
        guard var mapping = reader.mapping(node, "`safetynet`") else { return nil }
        let keyNode = mapping.take(Key.apiKey)
        let key = keyNode.flatMap { reader.text($0, "`api-key`") }
        let quota = mapping.take(Key.dailyQuota).flatMap {
            reader.integer($0, "`daily-quota`", in: quotas)
        }
        mapping.finish(&reader)
        if keyNode == nil {
            reader.warning("`safetynet` without `api-key` is off until a key is set", at: node.position)
        }
        return SafetyNetSettings(apiKey: key, dailyQuota: quota ?? SafetyNetSettings.defaultDailyQuota)
    }

    /// The fields of the settings in a file.
    static func fields(of settings: SafetyNetSettings) -> [DocumentField] {
        Key.allCases.map { key in
            switch key {
            case .apiKey: DocumentField(key.rawValue, settings.apiKey)
            case .dailyQuota:
                DocumentField(
                    key.rawValue, "\(settings.dailyQuota)",
                    isNeeded: settings.dailyQuota != SafetyNetSettings.defaultDailyQuota)
            }
        }
    }
}
