internal import PolicyEngine

/// The records of the devices of one shard in the order of time, in 24 bytes each.
struct BaselineRecords: Sendable {
    private var kindNumbers = MixedNumbers<RecordKind>(recentBits: 14)
    private var originNumbers = MixedNumbers<RecordOrigin>(recentBits: 14)
    private var records: [Record] = []
    private var times: [Instant] = []
    /// The devices that an account may treat otherwise than a device that attested and did nothing else: they are banned, or
    /// another policy than the account's was applied to them.
    private(set) var special = DeviceSet()
    /// True if some record has `new-did`.
    private(set) var namesNewDevices = false

    private struct Record: BitwiseCopyable {
        let device: UInt32
        let kind: UInt32
        let origin: UInt32
        // Its number among all.
        let index: UInt32
    }

    private static let banFlags: FlagSet = [.deviceBan, .deviceUnban]

    /// The kinds of the records by their numbers.
    var kinds: [RecordKind] { kindNumbers.all }

    /// Keeps a record.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - origin: The rest of it.
    ///   - index: Its number among all records.
    ///   - decision: The decision on it.
    mutating func append(_ kind: RecordKind, _ origin: RecordOrigin, index: Int, decision: Decision) {
        let device = decision.device.offset
        records.append(
            Record(
                device: UInt32(truncatingIfNeeded: device), kind: UInt32(kindNumbers.number(of: kind)),
                origin: UInt32(originNumbers.number(of: origin)), index: UInt32(truncatingIfNeeded: index)))
        times.append(decision.time)
        if kind.flags.contains(.newDevice) { namesNewDevices = true }
        if decision.policy.offset != 0 || !decision.flags.intersection(Self.banFlags).isEmpty { special.insert(device) }
    }

    /// The devices of records that are of some kinds, or among some rows.
    ///
    /// - Parameters:
    ///   - areMeant: By the number of each kind, true if it is one of them.
    ///   - rows: Sets of records by their numbers among all.
    ///   - devices: Becomes true for each of these devices.
    func mark(kinds areMeant: [Bool], rows: [RowSet], in devices: inout [Bool]) {
        for record in records where areMeant[Int(record.kind)] { devices[Int(record.device)] = true }
        for set in rows where !set.isEmpty {
            for record in records where set.contains(Int(record.index)) { devices[Int(record.device)] = true }
        }
    }

    /// Has the records of some devices evaluated in their order.
    ///
    /// - Parameters:
    ///   - chosen: The devices.
    ///   - symbols: The numbering of these devices, and of flags.
    ///   - evaluator: Evaluates them.
    ///   - accounts: The number of accounts whose filters were matched.
    ///   - isLate: True if that has to end.
    ///   - announce: Takes the kinds of the next records, so that what is known of these can be fetched from memory.
    ///   - matches: The findings in the attributes of a record, by the number of its kind, its origin, and its number among
    ///     all.
    ///   - note: Takes each decision.
    /// - Returns: False if it ended before the records did.
    func evaluate<Evaluator: BatchEvaluator>(
        _ chosen: ChosenDevices, symbols: borrowing SymbolTable, by evaluator: inout Evaluator, accounts: Int,
        isLate: () -> Bool, announce: (_ kind: Int) -> Void,
        matches: (_ kind: Int, _ origin: RecordOrigin, _ index: Int) -> AccountMatches,
        note: ((Decision) -> Void)? = nil
    ) -> Bool {
        var batch = Batch(accounts: accounts)
        var (positions, devices) = ([Int](), [DeviceIndex]())
        var start = 0
        while start < records.count {
            if isLate() { return false }
            start = choose(from: start, chosen, &positions, &devices)
            for position in positions {
                let kind = Int(records[position].kind)
                kindNumbers.all.prefetch(kind)
                announce(kind)
            }
            let found = positions.map { position in
                let kept = records[position]
                return matches(Int(kept.kind), originNumbers.all[Int(kept.origin)], Int(kept.index))
            }
            batch.fill(
                positions.count, record: { record(at: positions[$0]) }, device: { devices[$0] },
                matches: { found[$0] })
            evaluator.evaluate(batch, symbols: symbols)
            if let note { for row in 0..<batch.count { note(evaluator.decision(row, batch, symbols: symbols)) } }
        }
        return true
    }

    private func record(at position: Int) -> BatchRecord {
        let kept = records[position]
        return BatchRecord(
            time: times[position], flags: kindNumbers.all[Int(kept.kind)].flags,
            origin: originNumbers.all[Int(kept.origin)], index: Int(kept.index))
    }

    // The next records of chosen devices; returns the position behind them.
    private func choose(
        from start: Int, _ chosen: ChosenDevices, _ positions: inout [Int], _ devices: inout [DeviceIndex]
    ) -> Int {
        positions.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
        var position = start
        while position < records.count, positions.count < Batch.limit {
            if let device = chosen[Int(records[position].device)] {
                positions.append(position)
                devices.append(device)
            }
            position += 1
        }
        return position
    }
}

/// Devices of a shard that a question is about, in numbers of their own.
struct ChosenDevices {
    /// The numbering of these devices.
    let table: DeviceTable
    // By number in the shard, the own number and 1; 0 for one that is not chosen, and `nil` where all are.
    private let numbers: [UInt32]?

    /// Chooses all devices of a shard.
    init(all table: DeviceTable) { (self.table, numbers) = (table, nil) }

    /// Chooses some of them. If these are many, they keep the numbers that they have in the shard.
    ///
    /// - Parameters:
    ///   - areChosen: By number, true for those.
    ///   - all: All devices of the shard.
    ///   - others: Devices that have the first numbers, whether or not they are chosen.
    init(_ areChosen: [Bool], of all: DeviceTable, besides others: DeviceTable = DeviceTable()) {
        if others.count == 0, areChosen.count(where: \.self) > areChosen.count / 8 {
            (table, numbers) = (all, areChosen.indices.map { areChosen[$0] ? UInt32($0 + 1) : 0 })
            return
        }
        var (table, numbers) = (others, [UInt32](repeating: 0, count: areChosen.count))
        for (device, isChosen) in areChosen.enumerated() where isChosen {
            numbers[device] = UInt32(table.intern(all[DeviceIndex(offset: device)]).offset + 1)
        }
        (self.table, self.numbers) = (table, numbers)
    }

    /// The number of the chosen devices.
    var count: Int { numbers.map { $0.count { $0 > 0 } } ?? table.count }

    /// The number of a device of the shard among the chosen ones; `nil` if it is none.
    @inline(__always)
    subscript(device: Int) -> DeviceIndex? {
        guard let numbers else { return DeviceIndex(offset: device) }
        return numbers[device] == 0 ? nil : DeviceIndex(offset: Int(numbers[device]) - 1)
    }
}

/// A set of records by their numbers among all: a bit for each.
struct RowSet: Sendable {
    private var words: [UInt64]
    private(set) var isEmpty = true

    /// - Parameter count: The number of all records.
    init(count: Int) { words = Array(repeating: 0, count: (count + 63) >> 6) }

    /// Adds a record.
    mutating func insert(_ row: Int) {
        words[row >> 6] |= 1 << UInt64(row & 63)
        isEmpty = false
    }

    /// True if a record is in the set.
    @inline(__always)
    func contains(_ row: Int) -> Bool { words[row >> 6] & 1 << UInt64(row & 63) != 0 }
}
