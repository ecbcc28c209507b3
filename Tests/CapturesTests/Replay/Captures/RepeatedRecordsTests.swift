import PolicyEngine
import Testing

@testable import Replay
@testable import TestSupport

/// Records that repeat an earlier one are counted as a loop over all records counts them.
@Suite struct RepeatedRecordsTests {
    // Few devices and contents within few seconds, some of which have more records than are compared each with each.
    private static func lines(seed: UInt64) -> [String] {
        var chance = Chance(seed: seed)
        let devices = Array(RandomCapture.devices.prefix(2 + chance.below(7)))
        let flags = ["", "rooted", "rooted,xposed"].prefix(1 + chance.below(3))
        var time = Instant(secondsSinceEpoch: 1_582_934_400)
        return (0..<20 + chance.below(80)).map { _ in
            if chance.happens(chance.pick([10, 70])) { time = time + 1 }
            return "{\"time\":\"\(time)\",\"device-id\":\"\(chance.pick(devices))\","
                + "\"public-flags\":\"\(chance.pick(Array(flags)))\"}"
        }
    }

    private static func count(in messages: [String]) -> Int {
        for message in messages where message.contains("all that a record before has") {
            let words = message.split(separator: " ")
            return words.firstIndex { $0.hasPrefix("record") }.flatMap { Int(words[$0 - 1]) } ?? 0
        }
        return 0
    }

    @Test func areCountedAsByALoop() throws {
        var found = 0
        for seed in UInt64(1)...Exhaustive.count(40, whole: 1000) {
            let lines = Self.lines(seed: seed)
            let repeated = lines.indices.count { lines[..<$0].contains(lines[$0]) }
            // Fewer than a twentieth are not reported.
            let expected = repeated * 20 >= lines.count ? repeated : 0
            let capture = Array((lines.joined(separator: "\n") + "\n").utf8)
            let packed = try #require(try PackedFile([capture])).bytes
            for (form, bytes) in [("lines", capture), ("columns", packed)] {
                for blockBytes in [1, 200, 700, 5000, 100_000] {
                    let replayed = try ReplayBench.replay([bytes]) { ($0.jobs, $0.blockBytes) = (2, blockBytes) }
                    let count = Self.count(in: replayed.messages)
                    expect(count, equals: expected, "seed \(seed), \(form), blocks of \(blockBytes)")
                }
            }
            found += expected
        }
        #expect(found > 200)
    }
}
