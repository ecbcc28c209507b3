internal import Figures
internal import PolicyEngine

/// Counts unique devices by hour, day and billing month (R13.2), exactly, and with them all attestations by app and by the
/// flags that rejected them.
///
/// Windows nest: an hour lies in a day, a day in a billing month. Decisions come in time order, so the hour of a device's
/// latest pass says how new one is (``Novelty``). Each is counted once, in the current hour, by how new it is; when the hour is
/// over, its counts go into the windows in which they are new.
struct WindowCollector {
    private let billingDay: Int
    // The current hour, in seconds.
    private var hour: Range<Int> = 0..<0
    private var starts = WindowStarts()
    private var counts = HourCounts()
    private var day = WindowCounts()
    private var month = WindowCounts()
    private var total = WindowCounts()
    private var closed = ClosedWindows()
    // The attestations of each hour in which there were any.
    private var hours: [(start: Instant, counts: VerdictCounts)] = []
    private var passHours = AppHours()
    private var failureHours = AppHours()
    // The pairs of a device and a flag that made it fail, where the ledger has no room for them, and by their number the
    // hour of the latest time.
    private var flagFailures = Numbering<UInt64>()
    private var flagFailureHours: [Int32] = []

    init(billingDay: Int) {
        self.billingDay = billingDay
    }

    /// Counts an attestation.
    ///
    /// - Parameters:
    ///   - passed: Its verdict.
    ///   - time: When it was made, not before the one that was counted last.
    ///   - device: Its device, by its number.
    ///   - app: The app that it came with, by its number.
    ///   - entry: The entry of its device.
    ///   - rejectingFlags: The flags that made it fail.
    @inline(__always)
    mutating func count(
        passed: Bool, at time: Instant, device: Int, app: Int?, entry: inout DeviceLedger.Entry,
        rejectingFlags: FlagSet
    ) {
        if !hour.contains(time.secondsSinceEpoch) { move(to: time) }
        if passed {
            let before = passHours.replace(&entry.latestPass, of: device, app: app, with: starts.hour)
            counts.count(passed: true, device: starts.novelty(since: before.any))
            if let app { counts.count(passed: true, app: app, starts.novelty(since: before.withApp)) }
        } else {
            let before = failureHours.replace(&entry.latestFailure, of: device, app: app, with: starts.hour)
            counts.count(passed: false, device: starts.novelty(since: before.any))
            if let app { counts.count(passed: false, app: app, starts.novelty(since: before.withApp)) }
            countFlags(rejectingFlags, of: device, entry: &entry)
        }
    }

    private mutating func countFlags(_ flags: FlagSet, of device: Int, entry: inout DeviceLedger.Entry) {
        counts.noteFlags(flags)
        for flag in flags {
            let before = replaceFailureHour(of: device, flag: flag, entry: &entry)
            counts.count(flag, novelty: starts.novelty(since: before))
        }
    }

    private mutating func replaceFailureHour(
        of device: Int, flag: Flag, entry: inout DeviceLedger.Entry
    ) -> Int32 {
        if let before = entry.flagFailures.replace(flag, with: starts.hour) { return before }
        let pair = flagFailures.number(of: UInt64(device) << 8 | UInt64(flag.index))
        if pair == flagFailureHours.count { flagFailureHours.append(LatestHour.never) }
        let before = flagFailureHours[pair]
        flagFailureHours[pair] = starts.hour
        return before
    }

    @inline(never)
    private mutating func move(to time: Instant) {
        closeHour()
        let number = time.hourNumber
        hour = number * 3600..<(number + 1) * 3600
        let next = WindowStarts(at: time, billingDay: billingDay)
        if next.day != starts.day { closed.append(&day, .daily, from: starts.day) }
        if next.month != starts.month { closed.append(&month, .monthly, from: starts.month) }
        starts = next
    }

    private mutating func closeHour() {
        guard !counts.isEmpty else { return }
        var counted = WindowCounts()
        counted.add(counts, upTo: .inHour)
        day.add(counts, upTo: .inDay)
        month.add(counts, upTo: .inMonth)
        total.add(counts, upTo: .none)
        hours.append((Instant(secondsSinceEpoch: hour.lowerBound), counts.attestations))
        closed.append(&counted, .hourly, from: starts.hour)
        counts.clear()
    }
}

// The result.
extension WindowCollector {
    /// The counts so far, those of the current windows among them.
    struct Result {
        fileprivate let closed: ClosedWindows
        fileprivate let total: WindowCounts
        /// The attestations of each hour in which there were any.
        let hours: [Instant: VerdictCounts]

        /// All attestations.
        var attestations: VerdictCounts { total.devices }

        /// The attestations by app, by its number.
        var apps: [VerdictCounts] { total.apps }

        /// The number of attestations for which a flag was among those that rejected.
        ///
        /// - Parameter index: Its index.
        func rejectingCount(ofFlagAt index: Int) -> Int { total.flags.isEmpty ? 0 : total.flags[index] }

        /// The windows in which something happened, in time order, with names for numbers.
        func windows(apps: AppLabels, catalogue: FlagCatalogue) -> [WindowKind: [Figures.Window]] {
            Dictionary(
                uniqueKeysWithValues: WindowKind.allCases.map { kind in
                    (kind, closed[kind].map { $0.figures(apps: apps, catalogue: catalogue) })
                })
        }
    }

    /// The counts so far.
    var result: Result {
        var all = self
        all.closeHour()
        all.closed.append(&all.day, .daily, from: starts.day)
        all.closed.append(&all.month, .monthly, from: starts.month)
        return Result(
            closed: all.closed, total: all.total,
            hours: Dictionary(all.hours.map { ($0.start, $0.counts) }) { $0.adding($1) })
    }
}

/// The current windows that have not seen something yet. One that is new in a window is new in those inside it, too.
///
/// The raw values are how many windows have seen it, and the columns of ``HourCounts``.
private enum Novelty: Int {
    /// New in the billing month, and so in the day and in the hour.
    case inMonth
    /// New in the day, and so in the hour.
    case inDay
    /// New in the hour.
    case inHour
    /// It was there in the hour before.
    case none

    static var count: Int { 4 }
}

/// The first hours of the current windows, counted from 1970.
private struct WindowStarts {
    private(set) var hour: Int32 = 0
    private(set) var day: Int32 = 0
    private(set) var month: Int32 = 0

    init() {}

    init(at time: Instant, billingDay: Int) {
        hour = Int32(truncatingIfNeeded: time.hourNumber)
        day = Int32(truncatingIfNeeded: time.dayNumber * 24)
        month = Int32(
            truncatingIfNeeded: BillingMonth.start(of: time.date, billingDay: billingDay).dayNumber * 24)
    }

    /// The novelty of something that was last there at an hour.
    @inline(__always)
    func novelty(since before: Int32) -> Int {
        (before >= month ? 1 : 0) &+ (before >= day ? 1 : 0) &+ (before >= hour ? 1 : 0)
    }
}

/// The counts of one hour, by novelty; the next hour uses its memory.
private struct HourCounts {
    // A row for all devices, then one for each app; in a row a pass and a failure for each novelty.
    private var verdicts = Array(repeating: 0, count: rowLength)
    // A row for each flag; empty as long as none is counted.
    private var flags: [Int] = []
    /// The flags that are counted, since the others are many.
    private(set) var countedFlags = FlagSet.empty
    private(set) var isEmpty = true

    private static var rowLength: Int { 2 * Novelty.count }

    @inline(__always)
    mutating func count(passed: Bool, device novelty: Int) {
        isEmpty = false
        verdicts[2 &* novelty &+ (passed ? 0 : 1)] &+= 1
    }

    @inline(__always)
    mutating func count(passed: Bool, app: Int, _ novelty: Int) {
        let row = (app &+ 1) &* Self.rowLength
        if row >= verdicts.count { addRows(upTo: row) }
        verdicts[row &+ 2 &* novelty &+ (passed ? 0 : 1)] &+= 1
    }

    /// Makes room for flags, each of which is then counted.
    @inline(__always)
    mutating func noteFlags(_ flags: FlagSet) {
        countedFlags = countedFlags.union(flags)
        if self.flags.isEmpty { self.flags = Array(repeating: 0, count: Flag.limit * Novelty.count) }
    }

    mutating func count(_ flag: Flag, novelty: Int) {
        flags[Int(flag.index) &* Novelty.count &+ novelty] &+= 1
    }

    @inline(never)
    private mutating func addRows(upTo row: Int) {
        verdicts.append(contentsOf: repeatElement(0, count: row + Self.rowLength - verdicts.count))
    }

    /// All attestations.
    var attestations: VerdictCounts { verdicts(ofRow: 0, upTo: .none) }

    var appCount: Int { verdicts.count / Self.rowLength - 1 }

    func devices(upTo novelty: Novelty) -> VerdictCounts { verdicts(ofRow: 0, upTo: novelty) }

    func app(_ number: Int, upTo novelty: Novelty) -> VerdictCounts { verdicts(ofRow: number + 1, upTo: novelty) }

    func flag(_ number: Int, upTo novelty: Novelty) -> Int {
        var count = 0
        for column in 0...novelty.rawValue { count += flags[number * Novelty.count + column] }
        return count
    }

    private func verdicts(ofRow row: Int, upTo novelty: Novelty) -> VerdictCounts {
        var counts = VerdictCounts()
        for column in 0...novelty.rawValue {
            counts.passed += verdicts[row * Self.rowLength + 2 * column]
            counts.failed += verdicts[row * Self.rowLength + 2 * column + 1]
        }
        return counts
    }

    mutating func clear() {
        for index in verdicts.indices { verdicts[index] = 0 }
        countedFlags.forEachIndex { flag in
            for column in 0..<Novelty.count { flags[flag * Novelty.count + column] = 0 }
        }
        countedFlags = .empty
        isEmpty = true
    }
}

/// The counts of one window, by numbers.
private struct WindowCounts {
    private(set) var devices = VerdictCounts()
    private(set) var apps: [VerdictCounts] = []
    /// By flag; empty as long as none is counted.
    private(set) var flags: [Int] = []
    private(set) var countedFlags = FlagSet.empty
    private(set) var isEmpty = true

    /// Adds what was new in an hour.
    ///
    /// - Parameter novelty: The least novelty that counts.
    mutating func add(_ hour: HourCounts, upTo novelty: Novelty) {
        isEmpty = false
        devices = devices.adding(hour.devices(upTo: novelty))
        while apps.count < hour.appCount { apps.append(VerdictCounts()) }
        for app in 0..<hour.appCount { apps[app] = apps[app].adding(hour.app(app, upTo: novelty)) }
        guard !hour.countedFlags.isEmpty else { return }
        countedFlags = countedFlags.union(hour.countedFlags)
        if flags.isEmpty { flags = Array(repeating: 0, count: Flag.limit) }
        hour.countedFlags.forEachIndex { flags[$0] += hour.flag($0, upTo: novelty) }
    }
}

/// The windows that are over.
private struct ClosedWindows {
    private var windows: [WindowKind: [ClosedWindow]] = [:]

    /// The windows of a kind in the order of time.
    subscript(kind: WindowKind) -> [ClosedWindow] { windows[kind] ?? [] }

    /// Takes the counts of a window in which something happened, and leaves none.
    mutating func append(_ counts: inout WindowCounts, _ kind: WindowKind, from start: Int32) {
        guard !counts.isEmpty else { return }
        windows[kind, default: []].append(ClosedWindow(startHour: Int(start), counts: counts))
        counts = WindowCounts()
    }
}

/// The counts of a window that is over, those only that are not 0.
private struct ClosedWindow {
    private let startHour: Int
    private let devices: VerdictCounts
    private let apps: [(app: Int, counts: VerdictCounts)]
    private let flags: [(number: Int, count: Int)]

    init(startHour: Int, counts: WindowCounts) {
        self.startHour = startHour
        devices = counts.devices
        apps = counts.apps.enumerated().filter { $0.element.total > 0 }.map { (app: $0.offset, counts: $0.element) }
        flags = counts.countedFlags.map { (number: Int($0.index), count: counts.flags[Int($0.index)]) }
            .filter { $0.count > 0 }
    }

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
        return Figures.Window {
            $0.start = Instant(secondsSinceEpoch: startHour * 3600)
            ($0.passed, $0.failed, $0.counts) = (devices.passed, devices.failed, counts)
        }
    }
}
