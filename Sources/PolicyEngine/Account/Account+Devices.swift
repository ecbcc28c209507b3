extension Account {
    /// Adds a device entry from a list in which each device is listed once, as an account file does (R7.1).
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
        guard let index = devices.firstIndex(where: { $0.id == entry.id }) else { return try append(entry) }
        try check(entry)
        devices[index].update(with: entry)
    }

    /// Removes a device entry; bans that it brought about stay (R6.3).
    ///
    /// - Throws: ``DeviceError/unknown(_:)``.
    public mutating func removeDevice(_ id: DeviceID) throws(DeviceError) {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { throw .unknown(id) }
        devices.remove(at: index)
    }

    private func check(_ entry: DeviceEntry) throws(DeviceError) {
        if let url = entry.probeURL, !DeviceEntry.isProbeURL(url) { throw .invalidProbeURL(url) }
        guard entry.id.isFilteredPolicy else { return }
        if entry.pinMode != nil { throw .modeOnFilteredPolicy("pin") }
        if entry.banMode != nil { throw .modeOnFilteredPolicy("ban") }
    }
}

/// Why a device entry cannot be.
public enum DeviceError: Error, Hashable, Sendable {
    /// Not the text of a device ID (R1.1).
    case invalidID(String)
    /// The pseudo device takes no pin mode and no ban mode (R1.2).
    case modeOnFilteredPolicy(String)
    /// Not a URL with `https` (R6.1).
    case invalidProbeURL(String)
    /// Two entries of that device in one list (R7.1).
    case duplicate(DeviceID)
    /// It would be the 26th entry (R6.1).
    case limitReached(DeviceID)
    /// No entry of that device.
    case unknown(DeviceID)
}

extension DeviceError: CustomStringConvertible {
    /// The error in words: lower case, no final period, what the user wrote in backticks.
    public var description: String {
        switch self {
        case .invalidID(let text):
            "`\(text)` is not a device ID; it has 22 characters of A–Z a–z 0–9 + / and then `==`"
        case .modeOnFilteredPolicy(let mode):
            "`\(DeviceID.filteredPolicyText)` is not a device and takes no \(mode) mode"
        case .invalidProbeURL(let text):
            "`\(text)` is not a probe URL; it has `https`, such as `https://shapes.approov.io:443`"
        case .duplicate(let id): "device `\(id)` exists already"
        case .limitReached(let id):
            "device `\(id)` is one too many; an account has at most \(AccountLimits.devices) device entries"
        case .unknown(let id): "there is no entry for device `\(id)`"
        }
    }
}
