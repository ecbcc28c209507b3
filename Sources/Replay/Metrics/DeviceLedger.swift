internal import PolicyEngine

/// What metrics keep of each device, side by side, so that counting an attestation touches one place in memory.
struct DeviceLedger {
    private(set) var entries: [Entry] = []

    struct Entry {
        /// The hour of the latest pass and of the latest failure.
        var latestPass = LatestHour()
        var latestFailure = LatestHour()
        // The filters that matched, by their number, and two bits more: it makes a quarter of what is kept of a device.
        private var bits: UInt64 = 0

        /// The filters that matched, by their number over all revisions, those below ``filterLimit``.
        var filters: UInt64 { bits & (1 << UInt64(Entry.filterLimit) - 1) }
        /// Whether the device attested.
        var isSeen: Bool { bits & Entry.seenBit != 0 }
        /// Whether it attested as a new device.
        var isNew: Bool { bits & Entry.newBit != 0 }

        /// How many filters find room here.
        static let filterLimit = 62
        private static let (seenBit, newBit) = (UInt64(1) << 62, UInt64(1) << 63)

        mutating func noteSeen() { bits |= Entry.seenBit }
        mutating func noteNew() { bits |= Entry.newBit }
        mutating func noteFilter(_ number: Int) { bits |= 1 << UInt64(number) }
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
