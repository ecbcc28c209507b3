import Testing

@testable import Figures
@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// Attestations by hour.
@Suite struct HourTests {
    @Test(arguments: [1, 3]) func hoursAreThoseOfTheDecisions(jobs: Int) throws {
        var (chance, text, second) = (SplitMix64(seed: 5), "", 0)
        for _ in 0..<400 {
            second += chance.below(2000)
            let time = Instant(secondsSinceEpoch: 1_595_000_000 + second)
            let flags = chance.happens(30) ? "rooted" : ""
            text +=
                #"{"time":"\#(time)","device-id":"Device0000000000000\#(chance.below(90) + 10)A==","flags":"\#(flags)"}"#
                + "\n"
        }
        let replayed = try ReplayBench.replay(text) { $0.jobs = jobs }
        var expected: [Substring: VerdictCounts] = [:]
        for decision in try #require(replayed.decisions) {
            let hour = try #require(decision.split(separator: #""time":""#).last).prefix(13)
            let counted = decision.contains(#""verdict":"pass""#) ? \VerdictCounts.passed : \.failed
            expected[hour, default: VerdictCounts()][keyPath: counted] += 1
        }
        let hours = try #require(replayed.summary.figures?.hours)
        #expect(expected.count > 50)
        #expect(hours.count == expected.count)
        for (start, counts) in hours { #expect(expected[start.description.prefix(13)] == counts) }
    }
}
