import Accounts
import Testing

@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// Rows of bits say of each of many accounts what an engine of its own decides.
@Suite struct LaneTableTests {
    private static let declared = [
        RandomAccount.Declared(name: "extra-one", isRisk: true),
        RandomAccount.Declared(name: "extra-two", isRisk: false),
    ]
    // Flags that the rules speak of.
    private static let special = ["xposed", "did-ban", "did-unban", "new-did", "risky-device", "rooted", "extra-one"]

    /// An account by itself: its engine remembers devices.
    private struct Lane {
        var engine: Engine
        let renumbering: FilterRenumbering

        init(_ account: Account, of first: Account, symbols: inout SymbolTable) throws {
            engine = Engine(account: account, symbols: &symbols)
            renumbering = try #require(FilterRenumbering(from: first.filters, to: account.filters))
        }
    }

    /// A random attestation.
    private struct Drawn {
        let attestation: Attestation
        let matches: AttributeMatches

        init(_ chance: inout Chance, at time: Instant, _ account: Account, _ devices: [DeviceIndex]) {
            let (any, special) = (account.catalogue.declaredNames, LaneTableTests.special)
            let names = chance.some(of: any, 3) + chance.some(of: special, 12)
            let flags = names.compactMap { account.catalogue.flag(named: $0) }
            attestation = Attestation(
                time: time, device: chance.pick(devices), flags: flags.reduce(into: .empty) { $0.insert($1) })
            var (matched, limitHits) = (FilterSet.empty, FilterSet.empty)
            for (index, filter) in account.filters.enumerated() {
                // Conjunctions, and filters on flags, are up to the engine.
                guard let key = filter.key, !InformationKeys.flags.contains(key) else { continue }
                if chance.happens(25) { matched.insert(index) } else if chance.happens(2) { limitHits.insert(index) }
            }
            matches = AttributeMatches(
                match: FilterMatch(matched: matched, limitHits: limitHits), isRemoved: chance.happens(10))
        }
    }

    @Test(arguments: Exhaustive.seeds(1...600, each: 12)) func agreesWithEngines(seed: UInt64) throws {
        var (accounts, chance) = (RandomAccount(seed: seed, flags: Self.declared), Chance(seed: seed << 8))
        let account = try AccountText.account(accounts.text())
        let plain = [account] + SingleEdits.all(of: account).map(\.account)
        let groups = [plain, plain.map { $0.withoutNewDevices ?? $0 }]
        var symbols = SymbolTable(catalogue: account.catalogue)
        var table = LaneTable(groups, symbols: &symbols)
        var lanes = try groups.map { try $0.map { try Lane($0, of: account, symbols: &symbols) } }
        var sampling = DeviceSampling(account)
        let devices = RandomCapture.devices.compactMap { DeviceID($0) }.map { symbols.devices.intern($0) }
        var (bans, words) = (DeviceBans(width: table.width), [UInt64]())
        words = Array(repeating: 0, count: LaneEffect.ofVerdict * table.width)
        // By device that attested: the number of the accounts that have it as banned.
        var memories: [DeviceIndex: Int] = [:]
        var time = Instant(secondsSinceEpoch: 1_582_934_400)
        for step in 0..<40 {
            time = time + chance.pick([0, 60, 20_000])
            let drawn = Drawn(&chance, at: time, account, devices)
            let device = drawn.attestation.device
            let isSampled = sampling?.isSampled(device, at: time, devices: symbols.devices) ?? false
            let part = AttestationPart(
                flags: drawn.attestation.flags, matches: .none, device: table.representative(of: device),
                isKnown: memories[device] != nil, isSampled: isSampled)
            let (number, before) = (table.decision(on: part, drawn.matches), memories[device] ?? 0)
            let after = bans.next(before, after: number, in: &table)
            table.read(number, banned: before, of: bans, into: &words, at: 0)
            memories[device] = after
            for group in lanes.indices {
                for lane in lanes[group].indices {
                    let matches = lanes[group][lane].renumbering.renumbered(drawn.matches)
                    let decision = lanes[group][lane].engine.attest(
                        drawn.attestation, matches: matches, symbols: symbols)
                    let actual = Self.effects(words, bans, after, lane, table.groups[group], width: table.width)
                    let expected = Self.effects(decision, lanes[group][lane].engine)
                    #expect(actual == expected, "seed \(seed), step \(step), account \(lane) of group \(group)")
                    if lane == 0 {
                        let isBanned = bans[before, table.groups[group].words.lowerBound] & 1 != 0
                        let parts = table.parts(of: number, isBanned: isBanned)
                        let flags = table.flags(ofPart: parts.flags, group: group)
                            .union(table.flags(ofPart: parts.matches, group: group))
                        #expect(flags == decision.flags, "seed \(seed), step \(step)")
                    }
                }
            }
        }
    }

    private static func effects(
        _ words: [UInt64], _ bans: DeviceBans, _ number: Int, _ lane: Int, _ group: LaneGroup, width: Int
    ) -> Set<LaneEffect> {
        let word = group.words.lowerBound + lane / 64
        return Set(
            LaneEffect.allCases.filter { effect in
                let bits =
                    switch effect {
                    case .fails, .risky, .short, .unsearched: words[effect.rawValue * width + word]
                    case .banned: bans[number, word]
                    // It shows in the verdicts.
                    case .otherPolicy: 0 as UInt64
                    }
                return bits & 1 << UInt64(lane % 64) != 0
            })
    }

    private static func effects(_ decision: Decision, _ engine: Engine) -> Set<LaneEffect> {
        Set(
            LaneEffect.allCases.filter { effect in
                switch effect {
                case .fails: !decision.passed
                case .risky: decision.flags.contains(.riskyDevice)
                case .short: decision.lifetime == TokenLifetime.short.seconds
                case .banned: engine.deviceState(of: decision.device)?.contains(.deviceBan) == true
                case .otherPolicy: false
                case .unsearched: !engine.unsearchedFilters(of: decision).isEmpty
                }
            })
    }
}
