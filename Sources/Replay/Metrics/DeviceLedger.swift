internal import PolicyEngine

/// The data that metrics keep of each device, side by side, so that counting an attestation touches one spot of memory.
struct DeviceLedger {
    private(set) var entries = AlignedArray<Entry>()

    /// The data of a device, in 32 bytes: two entries fill a line of the processor's cache.
    struct Entry: BitwiseCopyable, Sendable {
        // The filters that matched, by their number, and two bits more.
        private var bits: UInt64 = 0
        // Hours and apps apart, as they take less room so.
        private var hours = (pass: LatestHour.never, failure: LatestHour.never)
        private var apps = (pass: LatestHour.noApp, failure: LatestHour.noApp)
        /// The hours of the latest failures by the flags that caused them.
        var flagFailures = FlagHours()

        /// The hour of the latest pass.
        var latestPass: LatestHour {
            @inline(__always) get { LatestHour(hour: hours.pass, app: apps.pass) }
            @inline(__always) set { (hours.pass, apps.pass) = (newValue.hour, newValue.app) }
        }

        /// The hour of the latest failure.
        var latestFailure: LatestHour {
            @inline(__always) get { LatestHour(hour: hours.failure, app: apps.failure) }
            @inline(__always) set { (hours.failure, apps.failure) = (newValue.hour, newValue.app) }
        }

        /// True if the device failed at some time.
        var hasFailed: Bool { hours.failure != LatestHour.never }

        /// The filters that matched, by their number over all revisions, those below ``filterLimit``.
        var filters: UInt64 { bits & (1 << UInt64(Entry.filterLimit) - 1) }
        /// True if the device attested.
        var isSeen: Bool { bits & Entry.seenBit != 0 }
        /// True if the device attested as a new device.
        var isNew: Bool { bits & Entry.newBit != 0 }

        /// The number of filters that there is room for here.
        static let filterLimit = 62
        private static var seenBit: UInt64 { 1 << 62 }
        private static var newBit: UInt64 { 1 << 63 }

        @inline(__always) mutating func noteSeen() { bits |= Entry.seenBit }
        @inline(__always) mutating func noteNew() { bits |= Entry.newBit }

        /// Notes filters, by their number over all revisions, of which each is below ``filterLimit``.
        @inline(__always) mutating func noteFilters(_ numbers: UInt64) { bits |= numbers }
    }

    /// The number of devices that each filter matched, by its number over all revisions, those below ``Entry/filterLimit``.
    var filterCounts: [Int] {
        var tally = BitTally<UInt64>()
        for entry in entries { tally.add(entry.filters) }
        return tally.all
    }

    /// Makes room for a device.
    @inline(__always)
    mutating func reserve(_ device: DeviceIndex) {
        if device.offset >= entries.count { addEntries(upTo: device) }
    }

    @inline(never)
    private mutating func addEntries(upTo device: DeviceIndex) {
        entries.append(repeating: Entry(), count: device.offset + 1 - entries.count)
    }

    /// Fetches what is kept of a device, for which there is room, from memory.
    @inline(__always)
    func prefetch(_ device: DeviceIndex) { entries.prefetch(device.offset) }

    subscript(device: DeviceIndex) -> Entry {
        get { entries[device.offset] }
        _modify { yield &entries[device.offset] }
    }
}

/// Counts the devices that each filter matched, by the filter's name over all revisions of the account.
struct FilterDeviceCounter {
    // Filters are numbered by revision and index; what is kept of a device holds the lower numbers, this the rest.
    private var others: Set<UInt64> = []

    /// Counts the filters that matched an attestation.
    ///
    /// - Parameters:
    ///   - filters: The filters.
    ///   - revision: The revision of the account that has them.
    ///   - device: The device, by its number.
    ///   - entry: The entry of the device.
    @inline(__always)
    mutating func count(_ filters: FilterSet, revision: Int, of device: Int, entry: inout DeviceLedger.Entry) {
        let start = revision &* AccountLimits.filters
        if start &+ AccountLimits.filters <= DeviceLedger.Entry.filterLimit {
            entry.noteFilters(UInt64(filters.bits) &<< UInt64(truncatingIfNeeded: start))
        } else {
            countFar(filters, revision: revision, of: device, entry: &entry)
        }
    }

    @inline(never)
    private mutating func countFar(
        _ filters: FilterSet, revision: Int, of device: Int, entry: inout DeviceLedger.Entry
    ) {
        for index in filters {
            let number = revision * AccountLimits.filters + index
            if number < DeviceLedger.Entry.filterLimit {
                entry.noteFilters(1 << UInt64(number))
            } else {
                others.insert(UInt64(number) << 32 | UInt64(device))
            }
        }
    }

    /// The number of devices by filter name.
    func figures(history: AccountHistory, ledger: DeviceLedger) -> [String: Int] {
        var numbersByName: [String: [Int]] = [:]
        for (revision, value) in history.revisions.enumerated() {
            for (index, filter) in value.account.filters.enumerated() {
                numbersByName[filter.name, default: []].append(revision * AccountLimits.filters + index)
            }
        }
        // A device counts once for a name, however many revisions have a filter of it.
        let counts = ledger.filterCounts
        return numbersByName.mapValues { numbers in
            guard numbers.count == 1, numbers[0] < DeviceLedger.Entry.filterLimit else {
                return deviceCount(of: numbers, ledger: ledger)
            }
            return counts[numbers[0]]
        }
    }

    private func deviceCount(of numbers: [Int], ledger: DeviceLedger) -> Int {
        let mask = numbers.reduce(into: UInt64(0)) { if $1 < DeviceLedger.Entry.filterLimit { $0 |= 1 << UInt64($1) } }
        let far = Set(numbers.filter { $0 >= DeviceLedger.Entry.filterLimit })
        let near = ledger.entries.count { $0.filters & mask != 0 }
        guard !far.isEmpty else { return near }
        let farDevices = Set(others.lazy.filter { far.contains(Int($0 >> 32)) }.map { Int($0 & 0xFFFF_FFFF) })
        return near + farDevices.lazy.filter { ledger.entries[$0].filters & mask == 0 }.count
    }
}

/// The hour of the latest event of a device, counted from 1970, and the app that it came with.
struct LatestHour {
    /// Stands for no event; before every hour.
    static let never = Int32.min
    /// Stands for events without an app.
    static let noApp: Int16 = -1
    /// Stands for events with several apps, or with one whose number is too large; ``AppHours`` has their hours.
    static let severalApps: Int16 = -2

    var hour = LatestHour.never
    /// The app of every event so far.
    var app = LatestHour.noApp
}

/// The hours of the latest failures of a device by the flag that caused them, for a few flags; few devices have more.
struct FlagHours {
    private var hours: (Int32, Int32) = (0, 0)
    // 255 for an entry that is free.
    private var flags: (UInt8, UInt8) = (.max, .max)

    /// Notes a failure.
    ///
    /// - Returns: The hour of the failure before it, ``LatestHour/never`` where there was none; `nil` where the flag finds no
    ///   room, and nothing is noted.
    mutating func replace(_ flag: Flag, with hour: Int32) -> Int32? {
        Self.replace(&flags.0, &hours.0, flag.index, hour) ?? Self.replace(&flags.1, &hours.1, flag.index, hour)
    }

    private static func replace(_ entry: inout UInt8, _ latest: inout Int32, _ flag: UInt8, _ hour: Int32) -> Int32? {
        guard entry == flag || entry == .max else { return nil }
        let before = entry == .max ? LatestHour.never : latest
        (entry, latest) = (flag, hour)
        return before
    }
}

/// The hours of the latest events of devices that come with several apps, which few do.
struct AppHours {
    /// The hours of a device's latest events before an event.
    struct Before {
        /// The hour of its latest event with whatever app; ``LatestHour/never`` for none.
        let any: Int32
        /// The hour of its latest event with this app.
        let withApp: Int32
    }

    private var hours: [UInt64: Int32] = [:]

    /// Notes an event.
    ///
    /// - Parameters:
    ///   - latest: The device's latest event; becomes this one.
    ///   - device: The device's number.
    ///   - app: The app that the event comes with.
    ///   - hour: The hour of the event, counted from 1970.
    /// - Returns: The knowledge before.
    @inline(__always)
    mutating func replace(_ latest: inout LatestHour, of device: Int, app: Int?, with hour: Int32) -> Before {
        let app = app ?? Int(LatestHour.noApp)
        let before = latest
        latest.hour = hour
        if before.hour == LatestHour.never, app <= Int16.max {
            latest.app = Int16(truncatingIfNeeded: app)
            return Before(any: LatestHour.never, withApp: LatestHour.never)
        }
        if before.app == app { return Before(any: before.hour, withApp: before.hour) }
        return replace(&latest, before: before, of: device, app: app, with: hour)
    }

    @inline(never)
    private mutating func replace(
        _ latest: inout LatestHour, before: LatestHour, of device: Int, app: Int, with hour: Int32
    ) -> Before {
        if before.app != LatestHour.severalApps {
            if before.hour != LatestHour.never { hours[Self.key(device, Int(before.app))] = before.hour }
            latest.app = LatestHour.severalApps
        }
        let withApp = hours.updateValue(hour, forKey: Self.key(device, app))
        return Before(any: before.hour, withApp: withApp ?? LatestHour.never)
    }

    private static func key(_ device: Int, _ app: Int) -> UInt64 {
        UInt64(device) << 32 | UInt64(UInt32(truncatingIfNeeded: app))
    }
}
