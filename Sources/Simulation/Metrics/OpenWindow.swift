internal import PolicyEngine

/// A window that is being counted.
struct OpenWindow {
    let kind: WindowKind
    /// The first hour in it, counted from 1970.
    let startHour: Int
    private var devices = VerdictCounts()
    private var apps: [Int: VerdictCounts] = [:]
    private var flags: [Int: Int] = [:]

    init(kind: WindowKind, startHour: Int) {
        self.kind = kind
        self.startHour = startHour
    }

    /// The window as it stands.
    var closed: ClosedWindow {
        ClosedWindow(startHour: startHour, devices: devices, apps: apps, flags: flags)
    }

    /// Counts a pass, unless the device passed in this window before.
    mutating func countPass(_ before: AppHours.Before, app: Int?) {
        if before.any < startHour { devices.passed += 1 }
        if let app, before.withApp < startHour { apps[app, default: VerdictCounts()].passed += 1 }
    }

    /// Counts a failure, unless the device failed in this window before.
    mutating func countFailure(_ before: AppHours.Before, app: Int?) {
        if before.any < startHour { devices.failed += 1 }
        if let app, before.withApp < startHour { apps[app, default: VerdictCounts()].failed += 1 }
    }

    /// Counts a failure caused by a flag, unless it made the device fail in this window before.
    mutating func countFailure(of flag: Flag, before: Int32) {
        if before < startHour { flags[Int(flag.place), default: 0] += 1 }
    }
}
