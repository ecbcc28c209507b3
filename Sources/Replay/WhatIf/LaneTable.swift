internal import PolicyEngine

/// The decisions of accounts on attestations, by the two parts of an attestation: its flags, and the matches of its attributes.
///
/// Under one policy, an attestation fails if its flags fail or its matches do, and so it is with all else that is decided, for
/// flags and matches meet nowhere before the verdict (R10). Exceptions are made a matter of one part:
///
/// - Whether a device is new, unbanned or has `xposed` affects what matches do (R4.3, R6.4, R7.5), so that the part of the
///   matches has these flags, too.
/// - A match can choose the policy by which flags are evaluated (R7.3), so that there is a part of the flags under both, each for the
///   accounts that it holds for.
/// - A ban that an account remembers is a flag (R6.3): each part has rows for a device that is banned, and for one that is not.
/// - Where filters look at flags (R7.2), or an account has an entry for the device (R6), the attestation is its only part.
///
/// Few different flags come in a capture, and few different matches, but many pairs of both. So ``Engine`` decides on parts, and a
/// pair costs two words for each 64 accounts.
struct LaneTable {
    /// The groups of accounts, each with words of its own in a row.
    let groups: [LaneGroup]
    /// The number of words of a row.
    let width: Int
    // By group.
    private var accounts: [EditedAccounts]
    private let hasOtherPolicies: Bool
    private let hasFlagFilters: Bool
    private var symbols: SymbolTable
    private let named: Int
    private var parts = MixedNumbers<AttestationPart>(recentBits: 14)
    // By part: the number of its rows.
    private var rowNumbers: [Int] = []
    // By numbers of rows: those of an account's own policy joined with those of the one that matches choose.
    private var mixtures: [PartPair: Int] = [:]
    // By number of rows: what they are made from, and if those for a device that is banned were made.
    private var sources: [RowSource] = []
    private var areReadyForBans: [Bool] = []
    // By number, and then for a device that is not banned and for one that is: rows, one behind the other.
    private var rows: [UInt64] = []
    // The same by group: the flags of the decision of the first account.
    private var flags: [FlagSet] = []
    private var pairNumbers = Numbering<UInt64>()
    private var pairs: [PartPair] = []
    private var scratch: [[BitRow]]

    /// The numbers of rows whose union is what is decided on an attestation.
    private struct PartPair: Hashable {
        let flags: Int
        let matches: Int
    }

    /// The source of rows.
    private enum RowSource {
        case part(AttestationPart)
        /// The rows of flags in a pair, but those of another number where the matches choose another policy.
        case mixture(PartPair, other: Int)
    }

    /// - Parameters:
    ///   - groups: Accounts and edits of them, of which the very first is the one whose filters are matched.
    ///   - shared: The numbering of the attestations, without a device so far; takes those that accounts have entries for.
    init(_ groups: [[Account]], symbols shared: inout SymbolTable) {
        let (all, first) = (groups.flatMap(\.self), groups[0][0])
        for account in all { account.numberDevices(in: &shared.devices) }
        named = shared.devices.count
        var symbols = SymbolTable(catalogue: shared.catalogue)
        symbols.devices = shared.devices
        hasFlagFilters = first.filters.contains { InformationKeys.flags.contains($0.key ?? "") }
        hasOtherPolicies = all.contains { $0.effectiveFilteredPolicy != nil }
        self.groups = LaneGroup.all(of: groups.map(\.count))
        width = self.groups.last?.words.upperBound ?? 0
        scratch = groups.map { Array(repeating: BitRow(count: $0.count), count: LaneEffect.count) }
        accounts = groups.map { EditedAccounts($0, filters: first.filters, symbols: &symbols) }
        self.symbols = symbols
    }

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) { symbols.catalogue = catalogue }

    /// The device that stands for another one: itself if accounts have an entry for it, else one for all others.
    func representative(of device: DeviceIndex) -> DeviceIndex { DeviceIndex(offset: min(device.offset, named)) }
}

// MARK: Deciding

extension LaneTable {
    /// The number of what all accounts decide on an attestation, given one at first sight.
    ///
    /// - Parameters:
    ///   - part: The attestation without matches, of a device that is not banned.
    ///   - matches: The matches of its attributes.
    mutating func decision(on part: AttestationPart, _ matches: AttributeMatches) -> Int {
        let pair = pair(part, matches)
        let number = pairNumbers.number(of: UInt64(pair.flags) << 32 | UInt64(pair.matches))
        if number == pairs.count { pairs.append(pair) }
        return number
    }

    // The flags that affect what matches do.
    private static let affecting: FlagSet = [.newDevice, .deviceUnban, .xposed]

    private mutating func pair(_ part: AttestationPart, _ matches: AttributeMatches) -> PartPair {
        var (own, match) = (part, part)
        if matches.isRemoved { own.flags.insert(.appNotRegistered) }
        if hasFlagFilters || own.device.offset < named {
            own.matches = matches.removed(false)
            let number = rowNumber(of: own)
            return PartPair(flags: number, matches: number)
        }
        if !match.isKnown { match.flags.insert(.newDevice) }
        match.flags = match.flags.intersection(Self.affecting)
        (match.matches, match.isKnown) = (matches.removed(false), true)
        let pair = PartPair(flags: rowNumber(of: own), matches: rowNumber(of: match))
        let choosing = range(of: .otherPolicy, pair.matches, isBanned: false)
        guard hasOtherPolicies, !own.isSampled, rows[choosing].contains(where: { $0 != 0 }) else { return pair }
        own.isSampled = true
        return PartPair(flags: mixture(pair, with: rowNumber(of: own)), matches: pair.matches)
    }

    private mutating func mixture(_ pair: PartPair, with other: Int) -> Int {
        if let number = mixtures[pair] { return number }
        let number = addRows(of: .mixture(pair, other: other))
        mixtures[pair] = number
        return number
    }

    private mutating func rowNumber(of part: AttestationPart) -> Int {
        let number = parts.number(of: part)
        if number == rowNumbers.count { rowNumbers.append(addRows(of: .part(part))) }
        return rowNumbers[number]
    }

    @inline(never)
    private mutating func addRows(of source: RowSource) -> Int {
        sources.append(source)
        areReadyForBans.append(false)
        rows.append(contentsOf: repeatElement(0, count: 2 * LaneEffect.count * width))
        flags.append(contentsOf: repeatElement(.empty, count: 2 * groups.count))
        makeRows(sources.count - 1, isBanned: false)
        return sources.count - 1
    }

    /// Takes note that a decision is on devices that some account has as banned, too.
    mutating func prepareForBans(_ decision: Int) {
        makeBannedRows(pairs[decision].flags)
        makeBannedRows(pairs[decision].matches)
    }

    private mutating func makeBannedRows(_ number: Int) {
        guard !areReadyForBans[number] else { return }
        areReadyForBans[number] = true
        makeRows(number, isBanned: true)
    }

    private mutating func makeRows(_ number: Int, isBanned: Bool) {
        switch sources[number] {
        case .part(let part): decide(part, number, isBanned: isBanned)
        case .mixture(let pair, let other):
            if isBanned {
                makeBannedRows(pair.flags)
                makeBannedRows(other)
            }
            mix(pair, other, number, isBanned: isBanned)
        }
    }

    private mutating func decide(_ part: AttestationPart, _ number: Int, isBanned: Bool) {
        var part = part
        part.isBanned = isBanned
        let first = (2 * number + (isBanned ? 1 : 0)) * groups.count
        for (index, group) in groups.enumerated() {
            flags[first + index] = accounts[index].decide(part, symbols: symbols, rows: &scratch[index])
            for effect in LaneEffect.allCases {
                let start = range(of: effect, number, isBanned: isBanned).lowerBound
                for (word, bits) in zip(group.words, scratch[index][effect.rawValue].words) {
                    rows[start + word] = bits
                }
            }
        }
    }

    private mutating func mix(_ pair: PartPair, _ other: Int, _ number: Int, isBanned: Bool) {
        let choosing = range(of: .otherPolicy, pair.matches, isBanned: false).lowerBound
        let starts = [number, pair.flags, other].map { range(of: .fails, $0, isBanned: isBanned).lowerBound }
        for index in 0..<LaneEffect.count * width {
            let isOther = rows[choosing + index % width]
            rows[starts[0] + index] = rows[starts[1] + index] & ~isOther | rows[starts[2] + index] & isOther
        }
        // Flags are the same under any policy.
        let ban = isBanned ? 1 : 0
        for group in groups.indices {
            flags[(2 * number + ban) * groups.count + group] = flags[(2 * pair.flags + ban) * groups.count + group]
        }
    }
}

// MARK: Reading

extension LaneTable {
    // The words of a row.
    private func range(of effect: LaneEffect, _ number: Int, isBanned: Bool) -> Range<Int> {
        let start = ((2 * number + (isBanned ? 1 : 0)) * LaneEffect.count + effect.rawValue) * width
        return start..<start + width
    }

    /// Reads what accounts decide.
    ///
    /// - Parameters:
    ///   - decision: The number of what they decide.
    ///   - number: The number of the accounts that have the device as banned before; for others than none,
    ///     ``prepareForBans(_:)`` was called.
    ///   - words: Takes the rows of ``LaneEffect`` that say what becomes of the attestation, one behind the other.
    ///   - start: The index of the first of these words.
    func read(
        _ decision: Int, banned number: Int, of bans: borrowing DeviceBans, into words: inout [UInt64], at start: Int
    ) {
        let pair = pairs[decision]
        let first = range(of: .fails, pair.flags, isBanned: false).lowerBound
        let second = range(of: .fails, pair.matches, isBanned: false).lowerBound
        let ban = LaneEffect.count * width
        for index in 0..<LaneEffect.ofVerdict * width {
            words[start + index] = rows[first + index] | rows[second + index]
        }
        guard number > 0 else { return }
        for word in 0..<width {
            let banned = bans[number, word]
            for effect in 0..<LaneEffect.ofVerdict {
                let index = effect * width + word
                let bound = rows[first + ban + index] | rows[second + ban + index]
                words[start + index] ^= (words[start + index] ^ bound) & banned
            }
        }
    }

    /// A word of the accounts that have a device as banned after a decision.
    ///
    /// - Parameter isBanned: True if they had it as banned before.
    func bans(_ decision: Int, _ word: Int, isBanned: Bool) -> UInt64 {
        let pair = pairs[decision]
        let first = range(of: .banned, pair.flags, isBanned: isBanned).lowerBound
        return rows[first + word] | rows[range(of: .banned, pair.matches, isBanned: isBanned).lowerBound + word]
    }

    /// The number of parts that decisions consist of, each for a device that is banned and for one that is not.
    var partCount: Int { flags.count / groups.count }

    /// The two parts of a decision of which the flags of the first account of a group are the union.
    ///
    /// - Parameter isBanned: True if that account has the device as banned.
    func parts(of decision: Int, isBanned: Bool) -> (flags: Int, matches: Int) {
        let (pair, ban) = (pairs[decision], isBanned ? 1 : 0)
        return (2 * pair.flags + ban, 2 * pair.matches + ban)
    }

    /// The flags of a part under the first account of a group.
    func flags(ofPart part: Int, group: Int) -> FlagSet { flags[part * groups.count + group] }
}

/// An account and edits of it, by the bits that they have in rows.
struct LaneGroup {
    /// The number of accounts.
    let count: Int
    /// The words of a row in which their bits are, from the lowest on.
    let words: Range<Int>

    /// Groups whose words lie one behind the other.
    ///
    /// - Parameter counts: The number of accounts of each.
    static func all(of counts: [Int]) -> [LaneGroup] {
        counts.reduce(into: []) { groups, count in
            let start = groups.last?.words.upperBound ?? 0
            groups.append(LaneGroup(count: count, words: start..<start + BitRow.wordCount(count)))
        }
    }
}

extension Account {
    /// Gives numbers to the devices that the account has entries for.
    func numberDevices(in table: inout DeviceTable) {
        for entry in devices where !entry.id.isFilteredPolicy { _ = table.intern(entry.id) }
    }
}
