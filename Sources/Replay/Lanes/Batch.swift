internal import PolicyEngine

/// Some records of the devices of one shard, in the order of time, as numbers: what lanes decide about, and what is counted.
///
/// A set of flags has the number that it got when a record had it for the first time, and so has a set of matches. What is known
/// of a set can be kept in a table by its number.
struct Batch: Sendable {
    /// The greatest number of records.
    static let limit = 1024
    /// Sets that are numbered before all get numbers anew, so that a capture with new sets in every record takes
    /// no more memory than others.
    static let setLimit = 65_536

    /// The time of each record.
    private(set) var times: [Instant] = []
    /// The device of each record.
    private(set) var devices: [DeviceIndex] = []
    /// The observed flags of each record, by their number among ``flagSets``.
    private(set) var flags: [UInt32] = []
    // The flags of each record as the account with assumed signals sees them; empty without assumptions.
    private var assumedFlags: [UInt32] = []
    /// The matches of all accounts' filters in each record, by their number among ``matchSets(ofAccount:)``.
    private(set) var matches: [UInt32] = []
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

    private let setLimit: Int
    private let assumed: AssumedSignals?
    private var flagNumbers = MixedNumbers<FlagSet>(recentBits: 12)
    private var matchNumbers = MixedNumbers<AccountMatches>(recentBits: 12)
    // By account, the matches of its filters by the numbers of the sets.
    private var matchSets: [[AttributeMatches]]
    // The records as they were read, and which of them these are; empty for records that were kept as numbers.
    private var parsed = ParsedRecords()
    private var rows: [Int] = []

    /// - Parameters:
    ///   - accounts: The number of accounts whose filters were matched.
    ///   - assumed: What one of the accounts sees in place of the flags of records; `nil` for nothing.
    ///   - setLimit: Sets that are numbered before all get numbers anew.
    init(accounts: Int, assumed: AssumedSignals? = nil, setLimit: Int = Batch.setLimit) {
        matchSets = Array(repeating: [], count: accounts)
        (self.assumed, self.setLimit) = (assumed, setLimit)
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

    /// The flags of each record as an account sees them, by their number among ``flagSets``.
    func flags(ofAccount account: Int) -> [UInt32] { assumed?.account == account ? assumedFlags : flags }

    /// True if all accounts see the same flags of a record.
    @inline(__always)
    func hasEqualFlags(_ row: Int) -> Bool { assumedFlags.isEmpty || assumedFlags[row] == flags[row] }

    /// The distinct sets of matches of an account's filters by their numbers.
    func matchSets(ofAccount account: Int) -> [AttributeMatches] { matchSets[account] }

    /// Takes other records in place of its own.
    ///
    /// - Parameters:
    ///   - parsed: Records as they were read.
    ///   - rows: Which of them; no more than ``limit``.
    ///   - devices: Their devices.
    ///   - catalogue: The flags by name.
    ///   - index: The number among all records that are evaluated, by the index of a record in `parsed`.
    mutating func fill(
        from parsed: ParsedRecords, at rows: [Int], devices: [DeviceIndex], catalogue: FlagCatalogue = FlagCatalogue(),
        index: (_ row: Int) -> Int
    ) {
        (self.parsed, self.rows) = (parsed, rows)
        fill(
            rows.count, time: { parsed.head(rows[$0]).time }, flags: { parsed.flags(rows[$0]) },
            origin: { RecordOrigin(parsed.head(rows[$0]), app: parsed.findings(rows[$0]).app) },
            index: { index(rows[$0]) }, device: { devices[$0] }, matches: { parsed.findings(rows[$0]).matches })
        guard let assumed else { return }
        assumedFlags.fill(rows.count) { number in
            let flags = assumed.flags(parsed.flags(rows[number]), of: parsed.head(rows[number]).id, by: catalogue)
            return UInt32(truncatingIfNeeded: flagNumbers.number(of: flags))
        }
    }

    /// Takes other records in place of its own, column by column.
    ///
    /// - Parameters:
    ///   - count: How many; no more than ``limit``.
    ///   - time: The time of a record, by its index among these.
    ///   - flags: Its observed flags.
    ///   - origin: The rest of what is counted of it.
    ///   - index: Its number among all records that are evaluated.
    ///   - device: Its device.
    ///   - matches: The matches of the accounts' filters.
    @inline(__always)
    mutating func fill(
        _ count: Int, time: (Int) -> Instant, flags: (Int) -> FlagSet, origin: (Int) -> RecordOrigin,
        index: (Int) -> Int, device: (Int) -> DeviceIndex, matches: (Int) -> AccountMatches
    ) {
        beginFilling(count)
        times.fill(count, time)
        origins.fill(count, origin)
        indices.fill(count, index)
        devices.fill(count, device)
        self.flags.fill(count) { number in
            let set = flags(number)
            if set.contains(.newDevice) { namesNewDevices = true }
            return UInt32(truncatingIfNeeded: flagNumbers.number(of: set))
        }
        self.matches.fill(count) { UInt32(truncatingIfNeeded: matchNumbers.number(of: matches($0))) }
        extendMatchSets()
    }

    /// Forgets the records as they were read, whose memory is used again.
    mutating func release() { parsed = ParsedRecords() }

    /// The number of a set of matches, given one at first sight.
    mutating func number(of matches: AccountMatches) -> UInt32 {
        UInt32(truncatingIfNeeded: matchNumbers.number(of: matches))
    }

    /// A set of matches by its number.
    func matchSet(_ number: UInt32) -> AccountMatches { matchNumbers.all[Int(number)] }

    /// Takes kept records in place of its own.
    ///
    /// - Parameters:
    ///   - kept: The records.
    ///   - numbers: By number of a device, the one that it has here; `nil` where it has the same.
    ///   - matches: The numbers of the matches in each record.
    ///   - origins: The origins by their numbers.
    mutating func take(
        _ kept: KeptBatch, renumbering numbers: [DeviceIndex]?, matches: [UInt32], origins allOrigins: [RecordOrigin]
    ) {
        (flags, self.matches) = (kept.flags, matches)
        devices = numbers.map { numbers in kept.devices.map { numbers[$0.offset] } } ?? kept.devices
        times.fill(kept.count) { kept.time($0) }
        origins.fill(kept.count) { allOrigins[Int(kept.origins[$0])] }
        indices.fill(kept.count) { Int(kept.indices[$0]) }
        extendMatchSets()
    }

    private mutating func extendMatchSets() {
        for account in matchSets.indices {
            for new in matchNumbers.all.dropFirst(matchSets[account].count) { matchSets[account].append(new[account]) }
        }
    }

    // Gives numbers anew, if too many sets have one.
    private mutating func beginFilling(_ count: Int) {
        precondition(count <= Self.limit, "a batch has few records")
        if flagNumbers.all.count > setLimit || matchNumbers.all.count > setLimit {
            flagNumbers = MixedNumbers(recentBits: 12)
            matchNumbers = MixedNumbers(recentBits: 12)
            for account in matchSets.indices { matchSets[account] = [] }
            generation += 1
        }
    }
}

// The rest of what the records say, where they are those of a capture and not numbers that were kept.
extension Batch {
    /// The head of a record.
    func head(_ row: Int) -> RecordHead { parsed.head(rows[row]) }

    /// The attributes with filters that a record has, where that is noted.
    @inline(__always)
    func presence(_ row: Int) -> AttributePresences.Mask { parsed.isEmpty ? 0 : parsed.findings(rows[row]).presence }

    /// The values of keys of a record; none where these are not numbered.
    func keyed(_ row: Int) -> KeyedNumbers { parsed.isEmpty ? .nothing : parsed.keyed(rows[row]) }

    /// The values that are carried along with a record; `nil` if none are.
    func carried(_ row: Int) -> CarriedValues? { parsed.isEmpty ? nil : parsed.carried(rows[row]) }

    /// The values of a record by numbers; `nil` where nothing is packed.
    func numbered(_ row: Int) -> NumberedRecord? { parsed.isEmpty ? nil : parsed.numbered(rows[row]) }
}

extension Array {
    /// Takes other elements in place of its own, whose memory is used again.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - element: An element, by its index.
    @inline(__always)
    fileprivate mutating func fill(_ count: Int, _ element: (Int) -> Element) {
        removeAll(keepingCapacity: true)
        append(addingCapacity: count) { elements in
            for index in 0..<count { elements.append(element(index)) }
        }
    }
}

extension FlagSet: Mixed {
    var mixedBits: UInt64 { UInt64(truncatingIfNeeded: bits) ^ UInt64(truncatingIfNeeded: bits >> 64) << 7 }
}

extension AccountMatches: Mixed {}
