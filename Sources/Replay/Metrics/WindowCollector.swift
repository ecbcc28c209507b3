internal import PolicyEngine

/// Counts unique devices by hour, day and billing month (R13.2), exactly.
///
/// Windows nest: an hour lies in a day, a day in a billing month. Decisions come in time order, so the hour of a
/// device's latest pass decides whether it passed before in the hour, the day or the month that is open now.
struct WindowCollector {
    private let billingDay: Int
    private var open: [OpenWindow] = []
    private var closed: [WindowKind: [ClosedWindow]] = [:]
    private var passHours = AppHours()
    private var failureHours = AppHours()
    // The pairs of a device and a flag that made it fail, where the ledger has no room for them, and by their number the
    // hour of the latest time.
    private var flagFailures = NumberTable()
    private var flagFailureHours: [Int32] = []
    private var currentHour = Int.min
    // For each hour in which something happened, what was counted before it.
    private var hours: [(start: Instant, before: VerdictCounts)] = []

    init(billingDay: Int) {
        self.billingDay = billingDay
    }

    /// Counts a decision.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - app: The app that it came with, by its number.
    ///   - entry: What is kept of its device.
    ///   - total: The decisions so far, this one among them.
    mutating func count(_ decision: Decision, app: Int?, entry: inout DeviceLedger.Entry, total: VerdictCounts) {
        let hour = decision.time.hourNumber
        if hour != currentHour {
            move(to: decision.time, hour: hour)
            let start = Instant(secondsSinceEpoch: hour * 3600)
            hours.append((start, total.subtracting(VerdictCounts(of: decision))))
        }
        let device = decision.device.offset
        if decision.passed {
            let before = passHours.replace(&entry.latestPass, of: device, app: app, with: hour)
            // Every window holds the hour, so that one which had this has nothing to count.
            if before.any == hour, before.withApp == hour { return }
            for index in open.indices { open[index].count(passed: true, before: before, app: app) }
        } else {
            let before = failureHours.replace(&entry.latestFailure, of: device, app: app, with: hour)
            for index in open.indices { open[index].count(passed: false, before: before, app: app) }
            for flag in decision.rejectingFlags {
                let before = replaceFailureHour(of: device, flag: flag, with: hour, entry: &entry)
                for index in open.indices { open[index].countFailure(of: flag, before: before) }
            }
        }
    }

    private mutating func replaceFailureHour(
        of device: Int, flag: Flag, with hour: Int, entry: inout DeviceLedger.Entry
    ) -> Int32 {
        if let before = entry.flagFailures.replace(flag, with: Int32(truncatingIfNeeded: hour)) { return before }
        let pair = flagFailures.intern(UInt64(device) << 8 | UInt64(flag.index))
        if pair == flagFailureHours.count { flagFailureHours.append(LatestHour.never) }
        let before = flagFailureHours[pair]
        flagFailureHours[pair] = Int32(truncatingIfNeeded: hour)
        return before
    }

    /// The windows in which something happened, in time order, with names for numbers.
    func figures(apps: AppLabels, catalogue: FlagCatalogue) -> [WindowKind: [Figures.Window]] {
        var result: [WindowKind: [Figures.Window]] = [:]
        for kind in WindowKind.allCases {
            let all = (closed[kind] ?? []) + open.filter { $0.kind == kind }.map(\.closed)
            result[kind] = all.map { $0.figures(apps: apps, catalogue: catalogue) }
        }
        return result
    }

    /// The attestations of each hour in which there were any.
    ///
    /// - Parameter total: All decisions.
    func attestations(of total: VerdictCounts) -> [Instant: VerdictCounts] {
        let ends = hours.dropFirst().map(\.before) + [total]
        return Dictionary(zip(hours, ends).map { ($0.start, $1.subtracting($0.before)) }) { $0.adding($1) }
    }

    private mutating func move(to time: Instant, hour: Int) {
        currentHour = hour
        let starts: [(WindowKind, Int)] = [
            (.hourly, hour), (.daily, time.dayNumber * 24),
            (.monthly, BillingMonth.start(of: time.date, billingDay: billingDay).dayNumber * 24),
        ]
        if open.isEmpty { open = starts.map { OpenWindow(kind: $0.0, startHour: $0.1) } }
        for (index, (kind, start)) in starts.enumerated() where open[index].startHour != start {
            closed[kind, default: []].append(open[index].closed)
            open[index].restart(at: start)
        }
    }
}

/// A window that is being counted; the next one of its kind uses its memory.
private struct OpenWindow {
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
        let flags = flags.enumerated().filter { $0.element > 0 }.map { (number: $0.offset, count: $0.element) }
        return ClosedWindow(startHour: startHour, devices: devices, apps: apps.all, flags: flags)
    }

    /// Starts the next one.
    mutating func restart(at hour: Int) {
        startHour = hour
        devices = VerdictCounts()
        apps.clear()
        for index in flags.indices { flags[index] = 0 }
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

/// The counts of one window, by numbers.
private struct ClosedWindow {
    let startHour: Int
    let devices: VerdictCounts
    let apps: [(app: Int, counts: VerdictCounts)]
    let flags: [(number: Int, count: Int)]

    /// The same with names.
    func figures(apps labels: AppLabels, catalogue: FlagCatalogue) -> Figures.Window {
        var counts: [Metric: Int] = [:]
        for (app, verdicts) in apps {
            let name = ExactText(labels.apps[app])
            if verdicts.passed > 0 { counts[.app(name, passed: true)] = verdicts.passed }
            if verdicts.failed > 0 { counts[.app(name, passed: false)] = verdicts.failed }
        }
        for (number, count) in flags {
            counts[.flag(ExactText(catalogue.flags[number].name), passed: false)] = count
        }
        return Figures.Window(
            start: Instant(secondsSinceEpoch: startHour * 3600), passed: devices.passed, failed: devices.failed,
            counts: counts)
    }
}

/// Counts by app, in memory that one window after another uses.
private struct AppTally {
    // By number of the app.
    private var counts: [VerdictCounts] = []
    // The apps that were counted.
    private var touched: [Int] = []

    mutating func count(passed: Bool, app: Int) {
        if app >= counts.count {
            counts.append(contentsOf: repeatElement(VerdictCounts(), count: app + 1 - counts.count))
        }
        if counts[app].total == 0 { touched.append(app) }
        counts[app].count(passed: passed)
    }

    /// The apps that were counted, and their counts.
    var all: [(app: Int, counts: VerdictCounts)] { touched.map { ($0, counts[$0]) } }

    /// Starts anew.
    mutating func clear() {
        for app in touched { counts[app] = VerdictCounts() }
        touched.removeAll(keepingCapacity: true)
    }
}
