internal import PolicyEngine

/// Counts unique devices by hour, day and billing month (R13.2), exactly.
///
/// Windows nest: an hour lies in a day, a day in a billing month. Decisions come in time order, so the hour of a
/// device's latest pass tells whether it passed before in the hour, the day or the month that is open now.
struct WindowCollector {
    private let billingDay: Int
    private var open: [OpenWindow] = []
    private var closed: [WindowKind: [ClosedWindow]] = [:]
    private var latestPass = LatestHours()
    private var latestFailure = LatestHours()
    private var latestFlagFailure = LatestHours()
    private var flagFailures = NumberTable()
    private var currentHour = Int.min

    init(billingDay: Int) {
        self.billingDay = billingDay
    }

    /// Counts a decision.
    mutating func count(_ decision: Decision, app: Int?) {
        let hour = decision.time.hourNumber
        if hour != currentHour { move(to: decision.time, hour: hour) }
        let device = decision.device.offset
        if decision.passed {
            let before = latestPass.replace(at: device, app: app, with: hour)
            for place in open.indices { open[place].countPass(before, app: app) }
        } else {
            let before = latestFailure.replace(at: device, app: app, with: hour)
            for place in open.indices { open[place].countFailure(before, app: app) }
            for flag in decision.rejectingFlags {
                let pair = flagFailures.intern(UInt64(device) << 8 | UInt64(flag.place))
                let before = latestFlagFailure.replace(at: pair, app: nil, with: hour).any
                for place in open.indices { open[place].countFailure(of: flag, before: before) }
            }
        }
    }

    /// The windows in which something happened, in time order, with names for numbers.
    func figures(apps: AppTable, symbols: SymbolTable) -> [WindowKind: [Figures.Window]] {
        var result: [WindowKind: [Figures.Window]] = [:]
        for kind in WindowKind.allCases {
            let all = (closed[kind] ?? []) + open.filter { $0.kind == kind }.map(\.closed)
            result[kind] = all.map { $0.figures(apps: apps, symbols: symbols) }
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
            open[place] = OpenWindow(kind: kind, startHour: start)
        }
    }
}
