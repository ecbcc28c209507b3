import Testing

@testable import Replay
@testable import TestSupport

/// Attestations are counted by device, decision and bans, whenever former entries are added up.
@Suite struct EditHistoriesTests {
    private struct Key: Hashable {
        let decision, bans: Int
    }

    @Test(arguments: Exhaustive.seeds(1...400, each: 20)) func agreesWithDictionaries(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (devices, numbers) = (1 + random.below(8), 1 + random.below(6))
        var histories = EditHistories(limit: random.below(20))
        histories.reserve(devices)
        var expected = Array(repeating: [Key: Int](), count: devices)
        for _ in 0..<random.below(400) {
            let (device, key) = (random.below(devices), Key(decision: random.below(numbers), bans: random.below(2)))
            histories.count(key.decision, bans: key.bans, of: device)
            expected[device][key, default: 0] += 1
        }
        var entries: [EditHistories.Entry] = []
        for device in 0..<devices {
            histories.read(device, into: &entries)
            var actual: [Key: Int] = [:]
            for entry in entries {
                actual[Key(decision: Int(entry.decision), bans: Int(entry.bans)), default: 0] += Int(entry.count)
            }
            #expect(actual == expected[device], "device \(device)")
        }
    }

    @Test func knowsNothingOfOthers() {
        var entries: [EditHistories.Entry] = []
        EditHistories().read(3, into: &entries)
        #expect(entries.isEmpty)
    }
}
