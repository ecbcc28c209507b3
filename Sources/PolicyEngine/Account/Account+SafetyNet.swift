extension Account {
    /// Sets the API key for SafetyNet (manual, Setting the SafetyNet API Key).
    ///
    /// - Parameter key: The key; another one than before starts with the default quota, since the quota belongs to the
    ///   key (R9.3).
    public mutating func setSafetyNetKey(_ key: String) {
        if safetyNet?.apiKey != key { safetyNet = SafetyNetSettings(apiKey: key) }
    }
}
