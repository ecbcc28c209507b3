import PolicyEngine
import Testing

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
                #expect(witness.before.passed == (direction == .rejected))
                #expect(witness.after.passed == (direction == .accepted))
                let smallest = try #require(expected, "\(direction): \(witness)")
                #expect(witness.records.count == smallest.records, "\(direction)")
                #expect(size(of: witness, pair) == smallest.size, "\(direction): \(witness)")
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
                #expect(witness.before.passed == (direction == .rejected))
                #expect(witness.after.passed == (direction == .accepted))
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
