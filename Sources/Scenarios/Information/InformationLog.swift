internal import PolicyEngine

/// What the service keeps of the latest attestations (R10, step 14; manual, Device Filters).
struct InformationLog {
    /// The latest new devices.
    private(set) var newDevices = Ring<DeviceInformation>(capacity: Self.deviceLimit)
    /// The latest devices that matched a filter which captures.
    private(set) var filteredDevices = Ring<DeviceInformation>(capacity: Self.deviceLimit)
    /// The latest attestations, of whatever device.
    private(set) var fetches = Ring<Fetch>(capacity: Self.fetchLimit)
    // The latest attestation of each device with an entry of its own.
    private var entries: [DeviceIndex: DeviceInformation] = [:]

    struct Fetch {
        let device: DeviceIndex
        let time: Instant
    }

    /// How many new devices are kept, and how many filtered ones.
    static let deviceLimit = 100
    /// How many fetches are kept.
    static let fetchLimit = 1000

    /// Keeps an attestation where it belongs.
    mutating func record(_ decision: Decision, on attestation: borrowing Attestation, engine: borrowing Engine) {
        fetches.append(Fetch(device: decision.device, time: decision.time))
        let isCaptured = engine.capturesInformation(decision)
        let hasEntry = engine.hasEntry(decision.device)
        guard decision.isNewDevice || isCaptured || hasEntry else { return }
        let information = DeviceInformation(attestation: copy attestation, decision: decision)
        if decision.isNewDevice { newDevices.append(information) }
        if isCaptured { filteredDevices.append(information) }
        if hasEntry { entries[decision.device] = information }
    }

    /// What is kept of a device with an entry of its own.
    func information(on device: DeviceIndex) -> DeviceInformation? { entries[device] }

    /// Discards what is kept of the new devices.
    mutating func clearNewDevices() { newDevices.removeAll() }

    /// Discards what is kept of the filtered devices.
    mutating func clearFilteredDevices() { filteredDevices.removeAll() }

    /// Discards what is kept of one device.
    mutating func clear(_ device: DeviceIndex) { entries[device] = nil }

    /// Discards the fetches.
    mutating func clearFetches() { fetches.removeAll() }
}
