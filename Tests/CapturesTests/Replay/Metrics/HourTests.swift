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
        expect(hours.count, equals: expected.count)
        for (start, counts) in hours { expect(expected[start.description.prefix(13)], equals: counts) }
    }
}

/// The hours of devices that come with several apps, or with apps of large numbers, against a dictionary (R13.2, R13.4).
@Suite struct AppHoursTests {
    private static let apps: [Int?] = [nil, 0, 7, 32_766, 32_767, 32_768, 65_535, 70_000, 4_000_000]

    private struct Key: Hashable {
        let device: Int
        let app: Int?
    }

    @Test("what is known before each event", arguments: [1, 2, 3]) func agrees(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var hours = AppHours()
        var latest = Array(repeating: LatestHour(), count: 50)
        var (anyHours, appHours): ([Int: Int32], [Key: Int32]) = ([:], [:])
        for hour in 0..<Int32(4000) {
            let device = chance.below(50)
            // Some devices have one app only, whatever its number.
            let app = Self.apps[device < 18 ? device % 9 : chance.below(9)]
            let before = hours.replace(&latest[device], of: device, app: app, with: hour)
            expect(before.any, equals: anyHours[device] ?? LatestHour.never)
            expect(before.withApp, equals: appHours[Key(device: device, app: app)] ?? LatestHour.never)
            anyHours[device] = hour
            appHours[Key(device: device, app: app)] = hour
            expect(latest[device].hour, equals: hour)
        }
    }
}
