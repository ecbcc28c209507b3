internal import Figures
internal import PolicyEngine

/// Adds up what edits do, by edit.
///
/// A device of which it is not known what an edit does to it is in none of the edit's figures but its own.
struct EditFigureCounter {
    private let table: LaneTable
    private let bans: DeviceBans
    private let groups: [LaneGroup]
    private let width: Int
    // By count and word.
    private var counts: [BitTally<UInt64>]
    // By group and lifetime: attestations under the first account.
    private var lifetimes: [[Int]]
    // By part of decisions and word: the accounts under which an attestation with the part newly passes.
    private var acceptedParts: [UInt64]
    // Of the current device.
    private var verdicts: EditVerdicts
    // By word: the accounts of which it is not known what they decide on it, and those under which it newly fails or passes.
    private var unknownRow, rejectedRow, acceptedRow: [UInt64]

    /// The figures that are counted by edit.
    private enum Count: Int, CaseIterable {
        case rejected, accepted
        case rejectedDevices, acceptedDevices, unknownDevices
        // Attestations of which nothing is known, by lifetime.
        case unknownUsual, unknownRisky, unknownShort
        // Attestations whose lifetime was this one, and is another one.
        case usualToRisky, usualToShort, riskyToUsual, riskyToShort, shortToUsual, shortToRisky

        static func unknown(_ lifetime: TokenLifetime) -> Count {
            switch lifetime {
            case .usual: .unknownUsual
            case .risky: .unknownRisky
            case .short: .unknownShort
            }
        }
    }

    private static let allLifetimes: [TokenLifetime] = [.usual, .risky, .short]

    /// - Parameters:
    ///   - table: What accounts decide.
    ///   - bans: The accounts that have a device as banned.
    init(_ table: LaneTable, _ bans: DeviceBans) {
        (self.table, self.bans) = (table, bans)
        (groups, width) = (table.groups, table.width)
        counts = Array(repeating: BitTally(), count: Count.allCases.count * table.width)
        lifetimes = table.groups.map { _ in [0, 0, 0] }
        acceptedParts = Array(repeating: 0, count: table.partCount * table.width)
        verdicts = EditVerdicts(table)
        unknownRow = Array(repeating: 0, count: table.width)
        (rejectedRow, acceptedRow) = (unknownRow, unknownRow)
    }

    /// Adds a device.
    ///
    /// - Parameter entries: What was decided on it.
    mutating func addDevice(_ entries: [EditHistories.Entry]) {
        verdicts.removeAll()
        for entry in entries { verdicts.append(Int(entry.decision), banned: Int(entry.bans), of: bans, from: table) }
        for word in 0..<width {
            var unknown: UInt64 = 0
            for index in entries.indices { unknown |= verdicts.unknown(index, word) }
            (unknownRow[word], rejectedRow[word], acceptedRow[word]) = (unknown, 0, 0)
        }
        for index in entries.indices {
            for group in groups.indices { add(entries[index], index, group) }
        }
        for word in 0..<width {
            add(rejectedRow[word], to: .rejectedDevices, word, times: 1)
            add(acceptedRow[word], to: .acceptedDevices, word, times: 1)
            add(unknownRow[word], to: .unknownDevices, word, times: 1)
        }
    }

    // Adds the attestations of an entry, as a group of accounts decides on them.
    @inline(__always)
    private mutating func add(_ entry: EditHistories.Entry, _ index: Int, _ number: Int) {
        let (words, times) = (groups[number].words, Int(entry.count))
        let isFailing = verdicts.failing(index, words.lowerBound) & 1 != 0
        let isRisky = verdicts.risky(index, words.lowerBound) & 1 != 0
        let isShort = verdicts.short(index, words.lowerBound) & 1 != 0
        lifetimes[number][isShort ? 2 : isRisky ? 1 : 0] += times
        for word in words {
            let known = ~unknownRow[word]
            if isFailing {
                let passing = ~verdicts.failing(index, word) & known
                acceptedRow[word] |= passing
                add(passing, to: .accepted, word, times: times)
                if passing != 0 { noteAccepted(passing, word, entry, words.lowerBound) }
            } else {
                let failing = verdicts.failing(index, word) & known
                rejectedRow[word] |= failing
                add(failing, to: .rejected, word, times: times)
            }
            let (risky, short) = (verdicts.risky(index, word) & known, verdicts.short(index, word) & known)
            let usual = known & ~(risky | short)
            if isShort {
                add(usual, to: .shortToUsual, word, times: times)
                add(risky, to: .shortToRisky, word, times: times)
                add(~known, to: .unknownShort, word, times: times)
            } else if isRisky {
                add(usual, to: .riskyToUsual, word, times: times)
                add(short, to: .riskyToShort, word, times: times)
                add(~known, to: .unknownRisky, word, times: times)
            } else {
                add(risky, to: .usualToRisky, word, times: times)
                add(short, to: .usualToShort, word, times: times)
                add(~known, to: .unknownUsual, word, times: times)
            }
        }
    }

    @inline(__always)
    private mutating func add(_ bits: UInt64, to count: Count, _ word: Int, times: Int) {
        guard bits != 0 else { return }
        let index = count.rawValue * width + word
        if times == 1 { counts[index].add(bits) } else { counts[index].add(bits, times: times) }
    }

    @inline(never)
    private mutating func noteAccepted(_ bits: UInt64, _ word: Int, _ entry: EditHistories.Entry, _ first: Int) {
        let isBanned = bans[Int(entry.bans), first] & 1 != 0
        let parts = table.parts(of: Int(entry.decision), isBanned: isBanned)
        acceptedParts[parts.flags * width + word] |= bits
        acceptedParts[parts.matches * width + word] |= bits
    }

    /// The figures of the accounts of a group but the first, in their order.
    func figures(of number: Int, _ catalogue: FlagCatalogue) -> [EditFigures] {
        var all = Array(repeating: EditFigures(), count: groups[number].count)
        write(.rejected, number, to: \.rejected.attestations, of: &all)
        write(.rejectedDevices, number, to: \.rejected.devices, of: &all)
        write(.accepted, number, to: \.accepted.attestations, of: &all)
        write(.acceptedDevices, number, to: \.accepted.devices, of: &all)
        write(.unknownDevices, number, to: \.unevaluatedDevices, of: &all)
        for (lane, flags) in acceptedFlags(number).enumerated() {
            all[lane].setAcceptedFlags(catalogue.names(of: flags))
        }
        countLifetimes(number, in: &all)
        return Array(all.dropFirst())
    }

    // By account of a group.
    private func values(_ count: Count, _ number: Int) -> [Int] {
        let group = groups[number]
        return Array(group.words.flatMap { counts[count.rawValue * width + $0].all }.prefix(group.count))
    }

    private func write(
        _ count: Count, _ number: Int, to field: WritableKeyPath<EditFigures, Int>, of all: inout [EditFigures]
    ) {
        for (lane, value) in values(count, number).enumerated() { all[lane][keyPath: field] = value }
    }

    // By account: the flags of attestations that newly pass.
    private func acceptedFlags(_ number: Int) -> [FlagSet] {
        let group = groups[number]
        var all = Array(repeating: FlagSet.empty, count: group.count)
        for part in 0..<table.partCount {
            let accounts = BitRow(group.words.map { acceptedParts[part * width + $0] })
            let flags = table.flags(ofPart: part, group: number)
            accounts.forEachIndex(below: group.count) { all[$0] = all[$0].union(flags) }
        }
        return all
    }

    private func countLifetimes(_ number: Int, in all: inout [EditFigures]) {
        let moves: [(before: TokenLifetime, after: TokenLifetime, count: Count)] = [
            (.usual, .risky, .usualToRisky), (.usual, .short, .usualToShort), (.risky, .usual, .riskyToUsual),
            (.risky, .short, .riskyToShort), (.short, .usual, .shortToUsual), (.short, .risky, .shortToRisky),
        ]
        for (index, before) in Self.allLifetimes.enumerated() {
            var rest = values(Count.unknown(before), number).map { lifetimes[number][index] - $0 }
            for move in moves where move.before == before {
                for (lane, count) in values(move.count, number).enumerated() {
                    rest[lane] -= count
                    all[lane].countLifetimes(before.seconds, move.after.seconds, count)
                }
            }
            for lane in all.indices { all[lane].countLifetimes(before.seconds, before.seconds, rest[lane]) }
        }
    }
}
