internal import PolicyEngine

/// What accounts decide on attestations, by the two parts of an attestation: its flags, and the matches of its attributes.
///
/// Under one policy, an attestation fails if its flags fail or its matches do, and so it is with all else that is decided, for
/// flags and matches meet nowhere before the verdict (R10). Exceptions are made a matter of one part:
///
/// - Whether a device is new, unbanned or has `xposed` bears on what matches do (R4.3, R6.4, R7.5), so that the part of the
///   matches has these flags, too.
/// - A match can choose the policy by which flags are judged (R7.3), so that there is a part of the flags under both, each for the
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
    // By number, and then for a device that is not banned and for one that is: rows, one behind the other.
    private var rows: [UInt64] = []
    // The same by group: the flags of the decision of the first account.
    private var flags: [FlagSet] = []
    private var pairNumbers = NumberTable()
    private var pairs: [PartPair] = []
    private var scratch: [[BitRow]]

    /// The numbers of rows whose union is what is decided on an attestation.
    private struct PartPair: Hashable {
        let flags: Int
        let matches: Int
    }

    /// - Parameters:
    ///   - groups: Accounts and edits of them, of which the very first is the one whose filters are matched.
    ///   - shared: The numbering of the attestations, without a device so far; takes those that accounts have entries for.
    init(_ groups: [[Account]], symbols shared: inout SymbolTable) {
        let (all, first) = (groups.flatMap(\.self), groups[0][0])
        for entry in all.flatMap(\.devices) where !entry.id.isFilteredPolicy { _ = shared.devices.intern(entry.id) }
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
        let number = pairNumbers.intern(UInt64(pair.flags) << 32 | UInt64(pair.matches))
        if number == pairs.count { pairs.append(pair) }
        return number
    }

    // The flags that bear on what matches do.
    private static let bearing: FlagSet = [.newDevice, .deviceUnban, .xposed]

    private mutating func pair(_ part: AttestationPart, _ matches: AttributeMatches) -> PartPair {
        var (own, match) = (part, part)
        if matches.isRemoved { own.flags.insert(.appNotRegistered) }
        if hasFlagFilters || own.device.offset < named {
            own.matches = matches.removed(false)
            let number = rowNumber(of: own)
            return PartPair(flags: number, matches: number)
        }
        if !match.isKnown { match.flags.insert(.newDevice) }
        match.flags = match.flags.intersection(Self.bearing)
        (match.matches, match.isKnown) = (matches.removed(false), true)
        let pair = PartPair(flags: rowNumber(of: own), matches: rowNumber(of: match))
        let choosing = range(of: .otherPolicy, pair.matches, isBanned: false)
        guard hasOtherPolicies, !own.isSampled, rows[choosing].contains(where: { $0 != 0 }) else { return pair }
        own.isSampled = true
        return PartPair(flags: mixture(pair, with: rowNumber(of: own)), matches: pair.matches)
    }

    // The rows of a part of flags, but those of another number where matches choose another policy.
    private mutating func mixture(_ pair: PartPair, with other: Int) -> Int {
        if let number = mixtures[pair] { return number }
        let number = flags.count / (2 * groups.count)
        let size = 2 * LaneEffect.count * width
        let choosing = range(of: .otherPolicy, pair.matches, isBanned: false).lowerBound
        for index in 0..<size {
            let isOther = rows[choosing + index % width]
            rows.append(rows[pair.flags * size + index] & ~isOther | rows[other * size + index] & isOther)
        }
        let first = pair.flags * 2 * groups.count
        flags.append(contentsOf: flags[first..<first + 2 * groups.count])
        mixtures[pair] = number
        return number
    }

    private mutating func rowNumber(of part: AttestationPart) -> Int {
        let number = parts.number(of: part)
        if number == rowNumbers.count {
            rowNumbers.append(flags.count / (2 * groups.count))
            addRows(of: part)
        }
        return rowNumbers[number]
    }

    @inline(never)
    private mutating func addRows(of part: AttestationPart) {
        var part = part
        for isBanned in [false, true] {
            part.isBanned = isBanned
            for group in groups.indices {
                flags.append(accounts[group].decide(part, symbols: symbols, rows: &scratch[group]))
            }
            for row in 0..<LaneEffect.count {
                for group in groups.indices { rows.append(contentsOf: scratch[group][row].words) }
            }
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
    ///   - number: The number of the accounts that have the device as banned before.
    ///   - words: Takes the rows of ``LaneEffect`` that say what becomes of the attestation, one behind the other.
    ///   - start: The index of the first of these words.
    func read(
        _ decision: Int, banned number: Int, of bans: borrowing DeviceBans, into words: inout [UInt64], at start: Int
    ) {
        let pair = pairs[decision]
        let first = range(of: .fails, pair.flags, isBanned: false).lowerBound
        let second = range(of: .fails, pair.matches, isBanned: false).lowerBound
        let ban = LaneEffect.count * width
        for index in 0..<LaneEffect.ofVerdict * width { words[start + index] = rows[first + index] | rows[second + index] }
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

    /// Reads which accounts have a device as banned afterwards, if none had it as banned before and if all had.
    func readBans(_ decision: Int, into words: inout [UInt64]) {
        let pair = pairs[decision]
        for isBanned in [false, true] {
            let first = range(of: .banned, pair.flags, isBanned: isBanned).lowerBound
            let second = range(of: .banned, pair.matches, isBanned: isBanned).lowerBound
            let start = isBanned ? width : 0
            for word in 0..<width { words[start + word] = rows[first + word] | rows[second + word] }
        }
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
