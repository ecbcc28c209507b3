import Testing

@testable import PolicyEngine
@testable import Proofs
@testable import TestSupport

/// A proof for all devices holds for each, and a found device is the smallest: random pairs of accounts over few flags and
/// letters, against every device one by one.
@Suite struct ProverAgreementTests {
    static let seeds: [UInt64] = Array(1...Exhaustive.count(UInt64(12), whole: 500))

    @Test(arguments: seeds) func agreesWithEveryDevice(seed: UInt64) throws {
        let pair = try RandomPair(seed: seed)
        let prover = Prover(before: pair.before, after: pair.after, limit: .seconds(60), flags: RandomPair.flags)
        for direction in Prover.Direction.allCases {
            var devices = EveryDevice(before: pair.before, after: pair.after)
            let expected = devices.smallest(isRejected: direction == .rejected)
            switch prover.answer(direction) {
            case .proved: #expect(expected == nil, "\(direction)")
            case .found(let witness):
                expect(witness.before.passed, equals: (direction == .rejected))
                expect(witness.after.passed, equals: (direction == .accepted))
                let smallest = try #require(expected, "\(direction): \(witness)")
                expect(witness.records.count, equals: smallest.records, "\(direction)")
                expect(size(of: witness, pair), equals: smallest.size, "\(direction): \(witness)")
            case .notExcluded(let filters): Issue.record("not excluded: \(filters)")
            case .notDecided(let reason): Issue.record("not decided: \(reason)")
            }
        }
    }

    @Test(arguments: Exhaustive.seeds(1...40)) func isSoundWhereTestsAreNoRegularExpressions(seed: UInt64) throws {
        let pair = try RandomPair(seed: seed, isOpen: true)
        let prover = Prover(before: pair.before, after: pair.after, limit: .seconds(60), flags: RandomPair.flags)
        for direction in Prover.Direction.allCases {
            var devices = EveryDevice(before: pair.before, after: pair.after)
            let expected = devices.smallest(isRejected: direction == .rejected)
            switch prover.answer(direction) {
            case .proved: #expect(expected == nil, "\(direction)")
            case .found(let witness):
                expect(witness.before.passed, equals: (direction == .rejected))
                expect(witness.after.passed, equals: (direction == .accepted))
            case .notExcluded(let filters): #expect(!filters.isEmpty)
            case .notDecided(let reason): Issue.record("not decided: \(reason)")
            }
        }
    }

    private func size(of witness: ProofWitness, _ pair: RandomPair) -> EveryDevice.Size {
        let attributes = witness.records.flatMap(\.attributes)
        let hasEntry = [pair.before, pair.after].contains { account in
            account.devices.contains { $0.id == witness.device }
        }
        return EveryDevice.Size(
            // The first record has `new-did` in any case.
            outages: witness.records.count { $0.service == .failover },
            flags: witness.records.map(\.flags.count).reduce(-1, +), attributes: attributes.count,
            characters: attributes.map(\.value.unicodeScalars.count).reduce(0, +), entries: hasEntry ? 1 : 0)
    }

    @Test func pairsAreOfAllKinds() throws {
        var counts: [String: Int] = [:]
        for seed in Self.seeds {
            let pair = try RandomPair(seed: seed)
            let prover = Prover(before: pair.before, after: pair.after, limit: .seconds(60), flags: RandomPair.flags)
            for direction in Prover.Direction.allCases {
                switch prover.answer(direction) {
                case .proved: counts["proved", default: 0] += 1
                case .found(let witness): counts["found \(witness.records.count)", default: 0] += 1
                case .notExcluded, .notDecided: counts["open", default: 0] += 1
                }
            }
        }
        #expect(counts["open"] == nil)
        #expect(counts["proved", default: 0] >= Self.seeds.count / 4)
        #expect(counts["found 1", default: 0] >= Self.seeds.count / 4)
    }
}

/// Tries every device that a random pair of accounts can tell from others, one record after another, by the engine itself.
struct EveryDevice {
    /// The size of a device's records: those that the failover answers, flags, attributes, characters, and 1 where an account
    /// has an entry of it.
    struct Size: Hashable, Comparable {
        var outages = 0, flags = 0, attributes = 0, characters = 0, entries = 0

        static func + (left: Size, right: Size) -> Size {
            Size(
                outages: left.outages + right.outages, flags: left.flags + right.flags,
                attributes: left.attributes + right.attributes,
                characters: left.characters + right.characters, entries: left.entries + right.entries)
        }

        static func < (left: Size, right: Size) -> Bool {
            (left.outages, left.flags, left.attributes, left.characters, left.entries)
                < (right.outages, right.flags, right.attributes, right.characters, right.entries)
        }
    }

    private struct Situations: Hashable {
        var before, after: DeviceSituation
    }

    private struct Possibility: Hashable {
        let before, after: AttributeMatches
    }

    private var symbols: SymbolTable
    private var engines: [Engine]
    private let accounts: [Account]
    private let devices: [DeviceID]

    init(before: Account, after: Account) {
        symbols = SymbolTable(catalogue: before.catalogue)
        accounts = [before, after]
        engines = [Engine(account: before, symbols: &symbols), Engine(account: after, symbols: &symbols)]
        // One for each way in which the random filters tell IDs apart, without an entry; then those that may have one.
        let others = ["AAAAAAAAAAAAAAAAAAAAAA==", "BBAAAAAAAAAAAAAAAAAAAA==", "EAAAAAAAAAAAAAAAAAAAAA=="]
        devices = (others + RandomPair.devices).compactMap { DeviceID($0) }
    }

    /// The smallest device that the account before passes and the one after does not, or the other way round.
    ///
    /// - Returns: The number of records that it needs, and their size; `nil` if there is none.
    mutating func smallest(isRejected: Bool) -> (records: Int, size: Size)? {
        smallest(isRejected: isRejected, mayHaveOutages: false)
            ?? smallest(isRejected: isRejected, mayHaveOutages: true)
    }

    private mutating func smallest(isRejected: Bool, mayHaveOutages: Bool) -> (records: Int, size: Size)? {
        let unknown = DeviceSituation(isKnown: false, isBanned: false, isUnbanned: false, isSampled: false)
        var reached = devices.map { device in
            [Situations(before: unknown, after: unknown): Size(entries: hasEntry(device) ? 1 : 0)]
        }
        for count in 1...4 {
            var smallest: Size?
            for (number, device) in devices.enumerated() {
                let (next, found) = step(
                    device, reached[number], isFirst: count == 1, isRejected: isRejected,
                    mayHaveOutages: mayHaveOutages)
                reached[number] = next
                smallest = [smallest, found].compactMap(\.self).min()
            }
            if let smallest { return (count, smallest) }
        }
        return nil
    }

    private func hasEntry(_ device: DeviceID) -> Bool { accounts.joined(by: device) }

    private mutating func step(
        _ device: DeviceID, _ reached: [Situations: Size], isFirst: Bool, isRejected: Bool, mayHaveOutages: Bool
    ) -> (next: [Situations: Size], found: Size?) {
        var (next, found): ([Situations: Size], Size?) = ([:], nil)
        let answered = possibilities(of: device).map { ($0, $1, TokenService.primary) }
        // The failover has no filters (R14.3), so no value makes a difference.
        let unanswered = [(Possibility(before: .none, after: .none), Size(outages: 1), TokenService.failover)]
        for (situations, size) in reached {
            for flags in flagSets(isFirst: isFirst) {
                for (matches, ofValues, service) in answered + (mayHaveOutages ? unanswered : []) {
                    let count = flags.count - (isFirst ? 1 : 0)
                    let total = size + Size(flags: count) + ofValues
                    for sampled in samples() {
                        var after = situations
                        let verdicts = evaluate(device, flags, matches, service, sampled, &after)
                        if verdicts.0 == isRejected, verdicts.1 != isRejected { found = min(found ?? total, total) }
                        next[after] = min(next[after] ?? total, total)
                    }
                }
            }
        }
        return (next, found)
    }

    private mutating func evaluate(
        _ device: DeviceID, _ flags: FlagSet, _ matches: Possibility, _ service: TokenService,
        _ sampled: (Bool, Bool), _ situations: inout Situations
    ) -> (Bool, Bool) {
        let attestation = Attestation(
            time: Instant(secondsSinceEpoch: 0), device: symbols.devices.intern(device), flags: flags)
        (situations.before.isSampled, situations.after.isSampled) = sampled
        let old = engines[0].attest(
            attestation, matches: matches.before, in: &situations.before, by: service, symbols: symbols)
        let new = engines[1].attest(
            attestation, matches: matches.after, in: &situations.after, by: service, symbols: symbols)
        (situations.before.isSampled, situations.after.isSampled) = (false, false)
        return (old.passed, new.passed)
    }

    private func flagSets(isFirst: Bool) -> [FlagSet] {
        let flags = RandomPair.flags.compactMap(symbols.catalogue.flag(named:))
        return (0..<(1 << flags.count)).map { bits in
            FlagSet(flags.indices.filter { bits >> $0 & 1 == 1 }.map { flags[$0] })
        }.filter { !isFirst || $0.contains(.newDevice) }
    }

    // R7.6: accounts of one name draw one number.
    private func samples() -> [(Bool, Bool)] {
        let shares = accounts.map(\.samplingPercentage)
        let pairs = [(false, false), (true, false), (false, true), (true, true)]
        return pairs.filter { pair in
            for (share, isSampled) in zip(shares, [pair.0, pair.1])
            where share == (isSampled ? .zero : .hundred) {
                return false
            }
            guard accounts[0].name == accounts[1].name, pair.0 != pair.1 else { return true }
            return pair.0 ? shares[0] > shares[1] : shares[1] > shares[0]
        }
    }

    // The possible effects of values, each with the smallest values that have it.
    private mutating func possibilities(of device: DeviceID) -> [Possibility: Size] {
        var (first, second): ([Possibility: Size], [Possibility: Size]) = ([:], [:])
        for value in Self.values(upTo: 4) { note(value, RandomPair.keys[0], device, &first) }
        for value in Self.values(upTo: 2) { note(value, RandomPair.keys[1], device, &second) }
        var all: [Possibility: Size] = [:]
        for (one, ofOne) in first {
            for (other, ofOther) in second {
                let both = Possibility(before: one.before.union(other.before), after: one.after.union(other.after))
                all[both] = min(all[both] ?? ofOne + ofOther, ofOne + ofOther)
            }
        }
        return all
    }

    private mutating func note(
        _ value: String?, _ key: String, _ device: DeviceID, _ known: inout [Possibility: Size]
    ) {
        let size = Size(attributes: value == nil ? 0 : 1, characters: value?.count ?? 0)
        let matches = matches(of: value, key: key, device)
        known[matches] = min(known[matches] ?? size, size)
    }

    private mutating func matches(of value: String?, key: String, _ device: DeviceID) -> Possibility {
        var attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: symbols.devices.intern(device))
        for (name, text) in [(key, value), ("device-id", device.description)] {
            guard let text else { continue }
            let number = symbols.attributes.key(named: name, keepingAll: true)
            attestation.set(symbols.attributes.intern(text, for: number), for: number)
        }
        return Possibility(
            before: engines[0].matches(of: attestation, by: .primary, symbols: symbols),
            after: engines[1].matches(of: attestation, by: .primary, symbols: symbols))
    }

    // Absent, then the texts of three letters.
    private static func values(upTo length: Int) -> [String?] {
        var (all, latest): ([String?], [String]) = ([nil, ""], [""])
        for _ in 0..<length {
            latest = latest.flatMap { text in ["a", "b", "c"].map { text + $0 } }
            all += latest
        }
        return all
    }
}

extension [Account] {
    fileprivate func joined(by device: DeviceID) -> Bool {
        contains { account in account.devices.contains { $0.id == device } }
    }
}
