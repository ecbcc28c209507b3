internal import PolicyEngine

/// A window that is being counted; the next one of its kind uses its memory.
struct OpenWindow {
    let kind: WindowKind
    /// The first hour in it, counted from 1970.
    private(set) var startHour: Int
    private var devices = VerdictCounts()
    private var apps = AppTally()
    private var flags = Array(repeating: 0, count: Flag.limit)

    init(kind: WindowKind, startHour: Int) {
        self.kind = kind
        self.startHour = startHour
    }

    /// The window as it stands.
    var closed: ClosedWindow {
        let flags = flags.enumerated().filter { $0.element > 0 }.map { (place: $0.offset, count: $0.element) }
        return ClosedWindow(startHour: startHour, devices: devices, apps: apps.all, flags: flags)
    }

    /// Starts the next one.
    mutating func restart(at hour: Int) {
        startHour = hour
        devices = VerdictCounts()
        apps.clear()
        for place in flags.indices { flags[place] = 0 }
    }

    /// Counts a pass or a failure, unless the device had one in this window before.
    mutating func count(passed: Bool, before: AppHours.Before, app: Int?) {
        if before.any < startHour { devices.count(passed: passed) }
        if let app, before.withApp < startHour { apps.count(passed: passed, app: app) }
    }

    /// Counts a failure caused by a flag, unless it made the device fail in this window before.
    mutating func countFailure(of flag: Flag, before: Int32) {
        if before < startHour { flags[Int(flag.index)] += 1 }
    }
}
