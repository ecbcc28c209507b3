internal import Figures
internal import PolicyEngine

/// Counts, for each device, the days with the same verdicts; a device attests in the order of time.
///
/// Few different verdicts occur on a day, so each is kept once as a row of bits.
struct DeviceDays {
    private let lanes: Int
    // The number of words of one row of lanes; four parts make a row (``LaneRow/words``).
    private let width: Int
    private var rows: RowTable
    // By outcome: its row.
    private var outcomes = Numbering<UInt64>()
    private var outcomeRows: [UInt32] = []
    // By two rows: that of both.
    private var pairs = Numbering<UInt64>()
    private var pairRows: [UInt32] = []
    // By number: the current day of a device.
    private var devices: [Day] = []
    private var past = DeviceTally()

    private struct Day: BitwiseCopyable {
        var number = Int32.min
        var row: UInt32 = 0
    }

    /// - Parameter lanes: The number of accounts.
    init(lanes: Int) {
        self.lanes = lanes
        width = BitRow.wordCount(lanes)
        rows = RowTable(width: 3 * width + 1)
    }

    /// The number here of an outcome; `nil` for one that was not added.
    func number(of outcome: UInt64) -> Int? { outcomes.known(outcome) }

    /// Takes the verdicts of an outcome that was not added before.
    ///
    /// - Returns: Its number here.
    mutating func add(_ outcome: UInt64, _ row: LaneRow) -> Int {
        outcomeRows.append(UInt32(rows.intern(row.words)))
        return outcomes.number(of: outcome)
    }

    /// Counts an attestation.
    ///
    /// - Parameter number: The number of its verdicts here.
    mutating func count(_ number: Int, of device: Int, at time: Instant) {
        if device >= devices.count {
            devices.append(contentsOf: repeatElement(Day(), count: device + 1 - devices.count))
        }
        let (day, row) = (Int32(truncatingIfNeeded: time.dayNumber), outcomeRows[number])
        if devices[device].number != day {
            if devices[device].number != .min { past.count(Int(devices[device].row), of: device) }
            devices[device] = Day(number: day, row: row)
        } else if devices[device].row != row {
            devices[device].row = union(devices[device].row, row)
        }
    }

    private mutating func union(_ first: UInt32, _ second: UInt32) -> UInt32 {
        let number = pairs.number(of: UInt64(first) << 32 | UInt64(second))
        if number == pairRows.count { pairRows.append(UInt32(rows.intern(rows.union(Int(first), Int(second))))) }
        return pairRows[number]
    }
}

// MARK: Figures

extension DeviceDays {
    private struct Group: Hashable {
        let label: DeviceLabel
        /// The verdicts on a device, or on it on a day.
        let row: Int
        /// The lanes in which it is not evaluated.
        let unknown: BitRow
    }

    /// Adds up the devices and their days by label.
    ///
    /// - Parameters:
    ///   - isDoubtful: True if what depends on new devices is left out.
    ///   - labels: The labels of the devices.
    ///   - unsearched: The lanes in which a device depends on a search that was given up.
    func count(
        in figures: inout LabelFigures, isDoubtful: Bool, labels: LabelNotes, unsearched: (Int) -> BitRow?
    ) {
        var (all, rows): (_, [Group: (devices: Int, days: Int)]) = (self.rows, [:])
        for device in devices.indices where devices[device].number != .min {
            var (whole, days) = (Int(devices[device].row), [(row: Int(devices[device].row), count: 1)])
            past.forEachNumber(of: device) { row, count in
                days.append((row, count))
                whole = all.intern(all.union(whole, row))
            }
            let label = labels[device]
            let unknown = unknownLanes(all, whole, isDoubtful: isDoubtful, unsearched(device))
            if all[whole, 3 * width] != 0 { figures.exempted[label] += 1 }
            rows[Group(label: label, row: whole, unknown: unknown), default: (0, 0)].devices += 1
            for day in days {
                rows[Group(label: label, row: day.row, unknown: unknown), default: (0, 0)].days += day.count
            }
        }
        var lanes = (0..<lanes).map { number in LabelLane { $0.number = number } }
        for (group, count) in rows {
            let verdicts = row(all, group.row, from: isDoubtful ? width : 0)
            for number in lanes.indices {
                lanes[number][group.label].count(
                    count, isRejected: verdicts[number], before: verdicts[0], isUnknown: group.unknown[number])
            }
        }
        figures.lanes = lanes
    }

    private func row(_ table: RowTable, _ number: Int, from start: Int) -> BitRow {
        BitRow((0..<width).map { table[number, start + $0] })
    }

    // Each lane is compared with the account as it is, whose verdict has to be known, too.
    private func unknownLanes(_ table: RowTable, _ number: Int, isDoubtful: Bool, _ unsearched: BitRow?) -> BitRow {
        var unknown = isDoubtful ? row(table, number, from: 2 * width) : BitRow(count: lanes)
        if let unsearched { unknown.formUnion(unsearched) }
        if unknown[0] { unknown.fill(true) }
        return unknown
    }
}

extension LabelCounts {
    fileprivate mutating func count(
        _ count: (devices: Int, days: Int), isRejected: Bool, before: Bool, isUnknown: Bool
    ) {
        guard !isUnknown else {
            unevaluated += count.devices
            return
        }
        devices += count.devices
        days += count.days
        if before { rejectedDaysBefore += count.days }
        if isRejected {
            rejected += count.devices
            rejectedDays += count.days
            if !before { newlyRejected += count.devices }
        } else if before {
            noLongerRejected += count.devices
        }
    }
}

extension RowTable {
    /// The words that are set in either of two rows.
    fileprivate func union(_ first: Int, _ second: Int) -> [UInt64] {
        (0..<width).map { self[first, $0] | self[second, $0] }
    }
}
