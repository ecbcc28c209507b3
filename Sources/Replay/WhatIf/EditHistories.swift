internal import PolicyEngine

/// The decisions of all accounts on the attestations of each device, each with its count.
///
/// The latest decision on a device is kept beside it with its count. Former ones lie behind each other in the order in which
/// others followed, so that none is looked for in between; equal ones are added up from time to time.
struct EditHistories {
    /// Decisions on attestations of a device.
    struct Entry: BitwiseCopyable {
        /// The number of what accounts decide.
        var decision: UInt32 = 0
        /// The number of the accounts that had the device as banned.
        var bans: UInt32 = 0
        /// The number of attestations; 0 if the device has no entry.
        var count: UInt32 = 0
        // The index of the device's next entry in `former`, counted from 1; 0 for none.
        fileprivate var next: UInt32 = 0

        func isSame(as other: Entry) -> Bool { decision == other.decision && bans == other.bans }
    }

    private var devices: [Entry] = []
    private var former: [Entry] = []
    // The number of former entries at which they are added up.
    private var limit: Int
    private let firstLimit: Int

    /// - Parameter limit: The number of former entries below which they are not added up.
    init(limit: Int = 1 << 20) {
        (self.limit, firstLimit) = (limit, limit)
    }

    /// Makes room for devices.
    mutating func reserve(_ count: Int) {
        guard count > devices.count else { return }
        devices.append(contentsOf: repeatElement(Entry(), count: max(count, 2 * devices.count) - devices.count))
    }

    /// Asks for the memory of a device before it is needed.
    func prefetch(_ device: Int) { devices.prefetch(device) }

    /// Counts an attestation of a device that there is room for.
    ///
    /// - Complexity: O(1) amortised, if few different things were decided on a device.
    @inline(__always)
    mutating func count(_ decision: Int, bans: Int, of device: Int) {
        let latest = Entry(
            decision: UInt32(truncatingIfNeeded: decision), bans: UInt32(truncatingIfNeeded: bans), count: 1)
        if devices[device].isSame(as: latest), devices[device].count > 0, devices[device].count < .max {
            devices[device].count += 1
        } else {
            follow(latest, of: device)
        }
    }

    private mutating func follow(_ latest: Entry, of device: Int) {
        let last = devices[device]
        if last.count > 0 {
            if former.count >= limit { addUp() }
            former.append(devices[device])
        }
        devices[device] = latest
        devices[device].next = last.count > 0 ? UInt32(former.count) : 0
    }

    // Leaves one former entry for equal decisions on a device.
    private mutating func addUp() {
        var kept: [Entry] = []
        for device in devices.indices {
            let start = kept.count
            var index = Int(devices[device].next)
            while index > 0 {
                var entry = former[index - 1]
                index = Int(entry.next)
                if let same = kept[start...].firstIndex(where: {
                    $0.isSame(as: entry) && $0.count <= .max - entry.count
                }) {
                    kept[same].count += entry.count
                } else {
                    entry.next = kept.count > start ? UInt32(kept.count) : 0
                    kept.append(entry)
                }
            }
            devices[device].next = kept.count > start ? UInt32(kept.count) : 0
        }
        former = kept
        limit = max(firstLimit, 2 * kept.count)
    }

    /// The number of devices that there is room for.
    var deviceCount: Int { devices.count }

    /// The decisions on a device, latest first; equal ones may come several times.
    ///
    /// - Parameter entries: Becomes them; empty for a device that did not attest.
    func read(_ device: Int, into entries: inout [Entry]) {
        entries.removeAll(keepingCapacity: true)
        guard device < devices.count, devices[device].count > 0 else { return }
        var entry = devices[device]
        entries.append(entry)
        while entry.next > 0 {
            entry = former[Int(entry.next) - 1]
            entries.append(entry)
        }
    }
}
