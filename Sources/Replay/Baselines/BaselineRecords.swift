internal import PolicyEngine

/// The records of the devices of one shard, in the order of time, in 24 bytes each.
struct BaselineRecords: Sendable {
    private(set) var sections: [BaselineSection] = []
    private var origins = MixedNumbers<RecordOrigin>(recentBits: 14)
    /// True if some record has `new-did`.
    private(set) var namesNewDevices = false

    /// Keeps the records of a batch, with the matches of its first account.
    mutating func append(_ batch: borrowing Batch) {
        if sections.last?.generation != batch.generation {
            sections.append(BaselineSection(generation: batch.generation))
        }
        if batch.namesNewDevices { namesNewDevices = true }
        let last = sections.count - 1
        sections[last].learn(batch)
        for row in 0..<batch.count {
            sections[last].append(row, of: batch, origin: UInt32(origins.number(of: batch.origins[row])))
        }
    }

    /// True if a search in a record was given up (R7.2).
    var hasLimitHits: Bool { sections.contains { $0.matchSets.contains(where: \.hasLimitHits) } }

    /// Hands all records over in their order, batch by batch.
    ///
    /// - Parameters:
    ///   - filters: The filters of each account, whose matches the batches have.
    ///   - devices: By number of a device, another one that batches have in its place; `nil` where they have the same.
    ///   - isLate: True if that has to end.
    ///   - take: Takes a batch.
    /// - Returns: False if it ended before the records did.
    func forEachBatch(
        _ filters: [BaselineMatches], renumbering devices: [DeviceIndex]? = nil, isLate: () -> Bool,
        _ take: (Batch) -> Void
    ) -> Bool {
        for section in sections {
            var batch = Batch(
                accounts: filters.count, flagSets: section.flagSets, namesNewDevices: namesNewDevices,
                generation: section.generation)
            let numbers = section.matchSets.map { batch.number(of: Self.translated($0, by: filters)) }
            for kept in section.batches {
                if isLate() { return false }
                var matches = kept.matches.map { numbers[Int($0)] }
                for account in filters.indices {
                    filters[account].add(to: &matches, of: kept, account: account, in: &batch)
                }
                batch.take(kept, renumbering: devices, matches: matches, origins: origins.all)
                take(batch)
            }
        }
        return true
    }

    private static func translated(_ matches: AttributeMatches, by filters: [BaselineMatches]) -> AccountMatches {
        var all = AccountMatches()
        for account in filters.indices { all[account] = filters[account].translated(matches) }
        return all
    }
}

/// Records whose sets are numbered alike.
struct BaselineSection: Sendable {
    /// As the batches had it from which the records come.
    let generation: Int
    /// The distinct sets of observed flags by their numbers.
    private(set) var flagSets: [FlagSet] = []
    /// The distinct sets of matches by their numbers.
    private(set) var matchSets: [AttributeMatches] = []
    private(set) var batches: [KeptBatch] = []

    fileprivate init(generation: Int) { self.generation = generation }

    // Lists that are kept are extended, since a batch would have to copy its own if they were shared.
    fileprivate mutating func learn(_ batch: borrowing Batch) {
        flagSets += batch.flagSets.dropFirst(flagSets.count)
        matchSets += batch.matchSets(ofAccount: 0).dropFirst(matchSets.count)
    }

    fileprivate mutating func append(_ row: Int, of batch: borrowing Batch, origin: UInt32) {
        if batches.last?.hasRoom(for: batch.times[row]) != true { batches.append(KeptBatch(start: batch.times[row])) }
        batches[batches.count - 1].append(row, of: batch, origin: origin)
    }
}
