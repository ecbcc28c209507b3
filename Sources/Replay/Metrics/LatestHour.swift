/// The hour of the latest event of a device, counted from 1970, and the app that it came with.
struct LatestHour {
    /// Stands for no event; before every hour.
    static let never = Int32.min
    /// Stands for events without an app.
    static let noApp: Int32 = -1
    /// Stands for events with several apps; ``AppHours`` tells their hours.
    static let severalApps: Int32 = -2

    var hour = LatestHour.never
    /// The app of every event so far.
    var app = LatestHour.noApp
}
