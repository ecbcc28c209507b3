extension Account {
    /// Adds a device entry from a list in which each device stands once, as an account file does (R7.1).
    ///
    /// - Throws: ``DeviceError``.
    public mutating func append(_ entry: DeviceEntry) throws(DeviceError) {
        guard !devices.contains(where: { $0.id == entry.id }) else { throw .duplicate(entry.id) }
        guard devices.count < AccountLimits.devices else { throw .limitReached(entry.id) }
        try check(entry)
        devices.append(entry)
    }

    /// Adds a device entry, or changes the given options of the one that is there, as the command does (R6.1).
    ///
    /// - Throws: ``DeviceError``.
    public mutating func set(_ entry: DeviceEntry) throws(DeviceError) {
        guard let place = devices.firstIndex(where: { $0.id == entry.id }) else { return try append(entry) }
        try check(entry)
        devices[place].update(with: entry)
    }

    /// Removes a device entry; bans that it brought about stay (R6.3).
    ///
    /// - Throws: ``DeviceError/unknown(_:)``.
    public mutating func removeDevice(_ id: DeviceID) throws(DeviceError) {
        guard let place = devices.firstIndex(where: { $0.id == id }) else { throw .unknown(id) }
        devices.remove(at: place)
    }

    private func check(_ entry: DeviceEntry) throws(DeviceError) {
        if let url = entry.probeURL, !DeviceEntry.isProbeURL(url) { throw .invalidProbeURL(url) }
        guard entry.id.isFilteredPolicy else { return }
        if entry.pinMode != nil { throw .modeOnFilteredPolicy("pin") }
        if entry.banMode != nil { throw .modeOnFilteredPolicy("ban") }
    }
}
