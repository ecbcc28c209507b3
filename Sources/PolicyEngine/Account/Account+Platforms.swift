extension Account {
    /// The developer team whose bits the account reads and writes (R8.10).
    ///
    /// Without a team ID it is one of the account's own, shared with nobody.
    package var developerTeam: String {
        // No team ID has a line break.
        deviceCheck?.teamID ?? ownTeam ?? "account\n\(name)"
    }

    /// Adds an authentication key for DeviceCheck (manual, Setting the DeviceCheck Key).
    ///
    /// - Parameters:
    ///   - keyID: The key's ID.
    ///   - teamID: The developer team; `nil` keeps the one that is there.
    ///   - bits: The bits that may be used.
    ///   - expiry: Months after which a setting counts as not found.
    package mutating func addAuthKey(
        _ keyID: String, teamID: String?, bits: DeviceCheckSettings.Bits, expiry: Int
    ) {
        deviceCheck = DeviceCheckSettings(
            teamID: teamID ?? deviceCheck?.teamID, keyID: keyID, bits: bits, expiry: expiry)
    }

    /// Removes the key: no device is looked up any more; what Apple and device IDs hold stays (R8.7).
    package mutating func removeAuthKey() {
        deviceCheck?.keyID = nil
    }
}

extension Account {
    /// Sets the API key for SafetyNet (manual, Setting the SafetyNet API Key).
    ///
    /// - Parameter key: The key; another one than before starts with the default quota, since the quota belongs to the
    ///   key (R9.3).
    package mutating func setSafetyNetKey(_ key: String) {
        if safetyNet?.apiKey != key { safetyNet = SafetyNetSettings(apiKey: key) }
    }
}
