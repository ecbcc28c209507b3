internal import PolicyEngine

/// Some records of the devices of one shard, in the order of time, as numbers: what lanes decide about, and what is counted.
///
/// A set of flags has the number that it got when a record had it for the first time, and so has a set of matches. What is known
/// of a set can be kept in a table by its number.
struct Batch: Sendable {
    /// The greatest number of records.
    static let limit = 1024
    /// Sets that are numbered before all numbers are given anew, so that a capture with new sets in every record takes
    /// no more memory than others.
    private static let setLimit = 65_536

    /// The time of each record.
    private(set) var times: [Instant] = []
    /// The device of each record.
    private(set) var devices: [DeviceIndex] = []
    /// The observed flags of each record, by their number among ``flagSets``.
    private(set) var flags: [UInt32] = []
    /// For each account, the matches of its filters in each record, by their number among the account's ``matchSets``.
    private(set) var matches: [[UInt32]]
    /// The app of each record, its system, and the service's verdict, where the capture has it.
    private(set) var origins: [RecordOrigin] = []
    /// The number of each record among all records that are evaluated.
    private(set) var indices: [Int] = []
    /// The distinct sets of observed flags by their numbers.
    var flagSets: [FlagSet] { flagNumbers.all }
    /// True if some record so far has `new-did`.
    private(set) var namesNewDevices = false
    /// The number of times that the numbers were given anew.
    private(set) var generation = 0

    private var flagNumbers = MixedNumbers<FlagSet>(recentBits: 12)
    private var matchNumbers: [MixedNumbers<AttributeMatches>]

    /// - Parameter accounts: The number of accounts whose filters were matched.
    init(accounts: Int) {
        matches = Array(repeating: [], count: accounts)
        matchNumbers = Array(repeating: MixedNumbers(recentBits: 12), count: accounts)
    }

    /// Makes a batch for records that were kept.
    ///
    /// - Parameters:
    ///   - accounts: The number of accounts whose filters were matched.
    ///   - flagSets: The sets of flags by their numbers.
    ///   - namesNewDevices: True if some record has `new-did`.
    ///   - generation: Another one where sets have other numbers.
    init(accounts: Int, flagSets: [FlagSet], namesNewDevices: Bool, generation: Int) {
        self.init(accounts: accounts)
        (self.namesNewDevices, self.generation) = (namesNewDevices, generation)
        for flags in flagSets { _ = flagNumbers.number(of: flags) }
    }

    /// The number of records.
    var count: Int { times.count }

    /// The distinct sets of matches of an account's filters by their numbers.
    func matchSets(ofAccount account: Int) -> [AttributeMatches] { matchNumbers[account].all }

    /// Takes other records in place of its own.
    ///
    /// - Parameters:
    ///   - count: How many; no more than ``limit``.
    ///   - record: A record without its device, by its index among these.
    ///   - device: The device of a record.
    ///   - matches: The matches of an account's filters in a record.
    @inline(__always)
    mutating func fill(
        _ count: Int, record: (Int) -> BatchRecord, device: (Int) -> DeviceIndex,
        matches match: (_ record: Int, _ account: Int) -> AttributeMatches
    ) {
        clear(count)
        for number in 0..<count {
            let record = record(number)
            times.append(record.time)
            origins.append(record.origin)
            indices.append(record.index)
            flags.append(UInt32(truncatingIfNeeded: flagNumbers.number(of: record.flags)))
            if record.flags.contains(.newDevice) { namesNewDevices = true }
        }
        for number in 0..<count { devices.append(device(number)) }
        for account in matches.indices {
            for number in 0..<count {
                let set = matchNumbers[account].number(of: match(number, account))
                matches[account].append(UInt32(truncatingIfNeeded: set))
            }
        }
    }

    /// The number of a set of matches of an account's filters, given one at first sight.
    mutating func number(of matches: AttributeMatches, account: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: matchNumbers[account].number(of: matches))
    }

    /// Takes kept records in place of its own.
    ///
    /// - Parameters:
    ///   - kept: The records.
    ///   - numbers: By number of a device, the one that it has here; `nil` where it has the same.
    ///   - matches: For each account, the numbers of the matches in each record.
    ///   - origins: The origins by their numbers.
    mutating func take(
        _ kept: KeptBatch, renumbering numbers: [DeviceIndex]?, matches: [[UInt32]], origins allOrigins: [RecordOrigin]
    ) {
        (flags, self.matches) = (kept.flags, matches)
        devices = numbers.map { numbers in kept.devices.map { numbers[$0.offset] } } ?? kept.devices
        times.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
        indices.removeAll(keepingCapacity: true)
        for row in 0..<kept.count {
            times.append(kept.time(row))
            origins.append(allOrigins[Int(kept.origins[row])])
            indices.append(Int(kept.indices[row]))
        }
    }

    private mutating func clear(_ count: Int) {
        precondition(count <= Self.limit, "a batch has few records")
        if flagNumbers.all.count > Self.setLimit || matchNumbers.contains(where: { $0.all.count > Self.setLimit }) {
            flagNumbers = MixedNumbers(recentBits: 12)
            matchNumbers = matchNumbers.map { _ in MixedNumbers(recentBits: 12) }
            generation += 1
        }
        times.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
        flags.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
        indices.removeAll(keepingCapacity: true)
        for account in matches.indices { matches[account].removeAll(keepingCapacity: true) }
    }
}

/// A record on its way into a batch.
struct BatchRecord {
    let time: Instant
    /// The flags that were observed.
    let flags: FlagSet
    let origin: RecordOrigin
    /// The number of the record among all records that are evaluated.
    let index: Int
}

extension FlagSet: Mixed {
    var mixedBits: UInt64 { UInt64(truncatingIfNeeded: bits) ^ UInt64(truncatingIfNeeded: bits >> 64) << 7 }
}

extension AttributeMatches: Mixed {}
