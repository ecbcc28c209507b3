internal import PolicyEngine

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
