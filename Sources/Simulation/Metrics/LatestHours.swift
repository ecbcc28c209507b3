/// The hour of the latest event of each device, and of each device with each app.
struct LatestHours {
    /// What is told of a device before an event.
    struct Before {
        /// The hour of its latest event with whatever app; ``LatestHours/never`` for none.
        let any: Int32
        /// The hour of its latest event with this app.
        let withApp: Int32
    }

    /// Stands for no event; before every hour.
    static let never = Int32.min

    private struct Entry {
        var hour = LatestHours.never
        /// The app of every event so far; -1 for none, -2 once there were several.
        var app: Int32 = -1
    }

    private static let noApp: Int32 = -1
    private static let severalApps: Int32 = -2

    private var entries: [Entry] = []
    // For devices that come with several apps, which few do.
    private var byApp: [UInt64: Int32] = [:]

    /// Notes an event.
    ///
    /// - Returns: What was known before.
    mutating func replace(at place: Int, app: Int?, with hour: Int) -> Before {
        if place >= entries.count {
            entries.append(contentsOf: repeatElement(Entry(), count: place + 1 - entries.count))
        }
        let hour = Int32(truncatingIfNeeded: hour)
        let app = app.map(Int32.init(truncatingIfNeeded:)) ?? Self.noApp
        let before = entries[place]
        entries[place].hour = hour
        if before.hour == Self.never {
            entries[place].app = app
            return Before(any: Self.never, withApp: Self.never)
        }
        if before.app == app { return Before(any: before.hour, withApp: before.hour) }
        if before.app != Self.severalApps {
            byApp[Self.key(place, before.app)] = before.hour
            entries[place].app = Self.severalApps
        }
        return Before(any: before.hour, withApp: byApp.updateValue(hour, forKey: Self.key(place, app)) ?? Self.never)
    }

    private static func key(_ place: Int, _ app: Int32) -> UInt64 {
        UInt64(place) << 32 | UInt64(UInt32(bitPattern: app))
    }
}
