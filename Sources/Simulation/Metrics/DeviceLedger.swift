internal import PolicyEngine

/// What metrics keep of each device, side by side, so that counting an attestation touches one place in memory.
struct DeviceLedger {
    private(set) var entries: [Entry] = []

    struct Entry {
        /// The hour of the latest pass and of the latest failure.
        var latestPass = LatestHour()
        var latestFailure = LatestHour()
        /// The filters that matched, by their number over all revisions, those below 64.
        var filters: UInt64 = 0
        var isSeen = false
        var isNew = false
    }

    /// Makes room for a device.
    mutating func reserve(_ device: DeviceIndex) {
        guard device.offset >= entries.count else { return }
        entries.append(contentsOf: repeatElement(Entry(), count: device.offset + 1 - entries.count))
    }

    /// Fetches what is kept of some devices from memory.
    func expect(_ devices: [DeviceIndex]) {
        for device in devices where device.offset < entries.count { entries.prefetch(device.offset) }
    }

    subscript(device: DeviceIndex) -> Entry {
        get { entries[device.offset] }
        _modify { yield &entries[device.offset] }
    }
}
