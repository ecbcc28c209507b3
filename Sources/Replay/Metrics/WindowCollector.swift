internal import PolicyEngine

/// Counts unique devices by hour, day and billing month (R13.2), exactly.
///
/// Windows nest: an hour lies in a day, a day in a billing month. Decisions come in time order, so the hour of a
/// device's latest pass tells whether it passed before in the hour, the day or the month that is open now.
struct WindowCollector {
    private let billingDay: Int
    private var open: [OpenWindow] = []
    private var closed: [WindowKind: [ClosedWindow]] = [:]
    private var passHours = AppHours()
    private var failureHours = AppHours()
    // The pairs of a device and a flag that made it fail, and by their number the hour of the latest time.
    private var flagFailures = NumberTable()
    private var flagFailureHours: [Int32] = []
    private var currentHour = Int.min

    init(billingDay: Int) {
        self.billingDay = billingDay
    }

    /// Counts a decision.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - app: The app that it came with, by its number.
    ///   - entry: What is kept of its device.
    mutating func count(_ decision: Decision, app: Int?, entry: inout DeviceLedger.Entry) {
        let hour = decision.time.hourNumber
        if hour != currentHour { move(to: decision.time, hour: hour) }
        let device = decision.device.offset
        if decision.passed {
            let before = passHours.replace(&entry.latestPass, of: device, app: app, with: hour)
            for place in open.indices { open[place].count(passed: true, before: before, app: app) }
        } else {
            let before = failureHours.replace(&entry.latestFailure, of: device, app: app, with: hour)
            for place in open.indices { open[place].count(passed: false, before: before, app: app) }
            for flag in decision.rejectingFlags {
                let before = replaceFailureHour(of: device, flag: flag, with: hour)
                for place in open.indices { open[place].countFailure(of: flag, before: before) }
            }
        }
    }

    private mutating func replaceFailureHour(of device: Int, flag: Flag, with hour: Int) -> Int32 {
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

    private mutating func move(to time: Instant, hour: Int) {
        currentHour = hour
        let starts: [(WindowKind, Int)] = [
            (.hourly, hour), (.daily, time.dayNumber * 24),
            (.monthly, BillingMonth.start(of: time.date, billingDay: billingDay).dayNumber * 24),
        ]
        if open.isEmpty { open = starts.map { OpenWindow(kind: $0.0, startHour: $0.1) } }
        for (place, (kind, start)) in starts.enumerated() where open[place].startHour != start {
            closed[kind, default: []].append(open[place].closed)
            open[place].restart(at: start)
        }
    }
}
