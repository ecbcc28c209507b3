import Figures
import PolicyEngine
import Statistics
import Testing

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// Groups of devices that are newly rejected more often than the others.
@Suite struct HitSearchTests {
    // A cause that is planted: what it is called, and the devices that it meets.
    private struct Cause {
        let condition: String
        let meets: @Sendable (_ values: [Int], _ flags: [Bool]) -> Bool
    }

    private static let causes = [
        Cause(condition: "ip/16=v2") { values, _ in values[2] == 2 },
        Cause(condition: "os-version=v1 and app-version=v0") { values, _ in values[0] == 1 && values[1] == 0 },
        Cause(condition: "flag:f1") { _, flags in flags[1] },
        Cause(condition: "app-version=v1 and flag:f2") { values, flags in values[1] == 1 && flags[2] },
        Cause(condition: "os-version=v0 and ip/16=v0") { values, _ in values[0] == 0 && values[2] == 0 },
    ]

    @Test(arguments: 0..<50) func thePlantedCauseIsFirst(seed: Int) throws {
        let cause = Self.causes[seed % Self.causes.count]
        let drawn = DrawnProfiles(seed: UInt64(seed), count: 2000) { cause.meets($0, $1) ? 60 : 2 }
        let figures = HitSearch(drawn.profiles, order: 2).run()
        let first = try #require(figures.hits.first)
        expect(first.condition, equals: cause.condition)
        for hit in figures.hits {
            let counts = drawn.counts(hit.terms.map { ($0.key, $0.value) })
            #expect(hit.devices == counts.devices && hit.rejected == counts.rejected)
        }
    }

    @Test(arguments: 0..<5) func aCauseOfThreeValuesIsFound(seed: Int) throws {
        let drawn = DrawnProfiles(seed: UInt64(100 + seed), count: 4000) { values, flags in
            values[0] == 0 && values[1] == 0 && flags[0] ? 80 : 1
        }
        let figures = HitSearch(drawn.profiles, order: 3).run()
        expect(figures.hits.first?.condition, equals: "os-version=v0 and app-version=v0 and flag:f0")
    }

    // 200 captures without a cause: 5 % of them are 10.
    @Test func withoutACauseFewCapturesReportAny() {
        let reporting = (0..<200).count { seed in
            let drawn = DrawnProfiles(seed: UInt64(1000 + seed), count: 500) { _, _ in 6 }
            return !HitSearch(drawn.profiles, order: 2).run().hits.isEmpty
        }
        #expect(reporting <= 10)
    }

    @Test func twoCausesAreTwoGroups() {
        let drawn = DrawnProfiles(seed: 7, count: 3000) { values, flags in
            flags[3] ? 70 : values[2] == 1 ? 50 : 1
        }
        let figures = HitSearch(drawn.profiles, order: 2).run()
        expect(Set(figures.hits.map(\.condition)), equals: ["flag:f3", "ip/16=v1"])
        // The second group counts what the first one leaves, and is compared with the others of these.
        #expect(figures.hits[0].more == figures.hits[0].rejected && figures.hits[1].more < figures.hits[1].rejected)
        expect(figures.hits[0].condition, equals: "flag:f3")
        let rest = drawn.devices.filter { !$0.flags[3] }
        let (mine, others) = (rest.filter { $0.values[2] == 1 }, rest.filter { $0.values[2] != 1 })
        let share = Double(mine.count { $0.isRejected }) / Double(mine.count)
        let other = Double(others.count { $0.isRejected }) / Double(others.count)
        #expect(abs(figures.hits[1].ratio - share / other) < 1e-9)
    }

    @Test func combinationsAreThoseThatEnoughDevicesShow() {
        let drawn = DrawnProfiles(seed: 3, count: 300) { _, _ in 20 }
        let figures = HitSearch(drawn.profiles, order: 2).run()
        let values = [6, 5, 20, 4].enumerated().flatMap { key, size in
            (0..<size).map { (DrawnProfiles.keys[key], "\(key == 3 ? "f" : "v")\($0)") }
        }
        var tried = values.count { drawn.counts([$0]).devices >= 5 }
        for (index, one) in values.enumerated() {
            for other in values[(index + 1)...] where one.0 != other.0 || one.0 == "flags" {
                if drawn.counts([one, other]).devices >= 5 { tried += 1 }
            }
        }
        #expect(figures.tried == tried && figures.support == 5 && figures.devices == 300)
    }

    // 30 of 60 devices with the value, 5 of 940 without: 0.5 ÷ 0.005319 = 94.
    @Test func figuresAreWorkedOutByHand() throws {
        var profiles = DeviceProfiles(keys: ["model"])
        for number in 0..<1000 {
            let isOld = number < 60
            let value = profiles.number(of: isOld ? "old" : "new", key: 0)
            let isRejected = number < 30 || number >= 995
            profiles.add(
                [value], device: DeviceID(first: UInt64(number), second: 0), isRejected ? .rejected : .unaffected)
        }
        let figures = HitSearch(profiles, order: 2).run()
        expect(figures.hits.map(\.condition), equals: ["model=old"])
        let hit = try #require(figures.hits.first)
        #expect(hit.devices == 60 && hit.rejected == 30 && abs(hit.ratio - 94) < 1e-9)
        // Koopman 1984, by bisection in Python, at 97.5 %: one of two combinations was selected.
        #expect(abs(hit.interval.lower - 34.5717) < 5e-4 && abs(hit.interval.upper - 255.105) < 5e-3)
        // The same at 99 %.
        let level = try #require(Percentage("99").flatMap { ConfidenceLevel($0) })
        let wider = try #require(HitSearch(profiles, order: 2, at: level).run().hits.first).interval
        #expect(abs(wider.lower - 27.5299) < 5e-4 && abs(wider.upper - 319.944) < 5e-3)
        // Two combinations are tried: p × 2 × (1 + 1/2).
        let group = try #require(Proportion(30, of: 60))
        let rest = try #require(Proportion(5, of: 940))
        #expect(abs(hit.pValue - FisherTest(ProportionComparison(group, to: rest)).greater * 3) < 1e-30)
    }

    @Test func fewRejectedDevicesAreNoGroup() {
        let drawn = DrawnProfiles(seed: 1, count: 40) { values, _ in values[0] == 5 ? 100 : 0 }
        let rejected = drawn.devices.count { $0.isRejected }
        #expect(rejected < 5 && HitSearch(drawn.profiles, order: 1).run().hits.isEmpty)
    }

    // Not evaluated: in no count.
    @Test func devicesOfWhichNothingIsKnownDoNotCount() {
        var profiles = DeviceProfiles(keys: ["os"])
        let value = profiles.number(of: "iOS", key: 0)
        for number in 0..<10 {
            profiles.add(
                [value], device: DeviceID(first: UInt64(number), second: 0), number < 4 ? .unknown : .rejected)
        }
        let figures = HitSearch(profiles, order: 1).run()
        #expect(figures.devices == 6 && figures.rejected == 6)
    }
}
