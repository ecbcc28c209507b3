import Figures
import PolicyEngine
import Statistics
import Testing

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// The differences between two captures.
@Suite struct DriftSearchTests {
    private static func side(_ name: String, _ devices: Int) -> DriftFigures.Side {
        DriftFigures.Side(name: name, devices: devices, attestations: devices, hours: 1)
    }

    private static func drift(_ old: DrawnProfiles, _ new: DrawnProfiles) throws -> DriftFigures {
        try #require(
            DriftSearch.run(
                (old.profiles, side("old", old.devices.count)), (new.profiles, side("new", new.devices.count)),
                at: .usual))
    }

    private static func drawn(_ seed: Int, _ count: Int) -> DrawnProfiles {
        DrawnProfiles(seed: UInt64(seed), count: count) { _, _ in 0 }
    }

    // 200 pairs of the same population: 5 % of them are 10.
    @Test func capturesOfTheSameDevicesRarelyDiffer() throws {
        var reporting = 0
        for seed in 0..<200 {
            let figures = try Self.drift(Self.drawn(2 * seed, 600), Self.drawn(2 * seed + 1, 400 + seed))
            if !figures.drifts.isEmpty { reporting += 1 }
        }
        #expect(reporting <= 10)
    }

    @Test(arguments: 0..<20) func aPlantedDifferenceIsFoundFirst(seed: Int) throws {
        let old = Self.drawn(500 + seed, 1500)
        // A flag that 12 % have is newly on 24 % of devices.
        var profiles = DeviceProfiles(keys: DrawnProfiles.keys)
        var chance = SplitMix64(seed: UInt64(seed))
        for (index, device) in Self.drawn(700 + seed, 1500).devices.enumerated() {
            var numbers = device.values.enumerated().map { profiles.number(of: "v\($1)", key: $0) }
            for (flag, isSet) in device.flags.enumerated() where isSet || flag == 2 && chance.happens(14) {
                numbers.append(profiles.number(of: "f\(flag)", key: 3))
            }
            profiles.add(numbers, device: DeviceID(first: UInt64(index), second: 2))
        }
        let figures = try #require(
            DriftSearch.run((old.profiles, Self.side("old", 1500)), (profiles, Self.side("new", 1500)), at: .usual))
        let first = try #require(figures.drifts.first)
        #expect(first.term.condition == "flag:f2" && first.difference > 0.08 && first.interval.lower > 0)
    }

    // Newcombe 1998, method 10, by hand: 56 of 70 against 48 of 80 is 0.2, from 0.0524 to 0.3339.
    @Test func figuresAreThoseOfTheLiterature() throws {
        func profiles(_ count: Int, _ shown: Int, _ start: Int) -> DeviceProfiles {
            var profiles = DeviceProfiles(keys: ["flags"])
            let value = profiles.number(of: "rooted", key: 0)
            for number in 0..<count {
                profiles.add(number < shown ? [value] : [], device: DeviceID(first: UInt64(start + number), second: 0))
            }
            return profiles
        }
        let figures = try #require(
            DriftSearch.run(
                (profiles(80, 48, 0), Self.side("old", 80)), (profiles(70, 56, 60), Self.side("new", 70)), at: .usual))
        let value = try #require(figures.values.first)
        #expect(value.before == 48 && value.after == 56 && abs(value.difference - 0.2) < 1e-12)
        #expect(abs(value.interval.lower - 0.0524) < 5e-5 && abs(value.interval.upper - 0.3339) < 5e-5)
        // Clopper and Pearson at 97.5 % each, by Python. Devices 60 to 79 are in both.
        #expect(abs(figures.bound - 0.401743) < 1e-6 && figures.common == 20)
    }

    @Test func newAndVanishedValuesAreCounted() throws {
        func profiles(_ versions: [(String, Int)], _ start: Int) -> DeviceProfiles {
            var profiles = DeviceProfiles(keys: ["app-version"])
            var number = start
            for (version, count) in versions {
                let value = profiles.number(of: version, key: 0)
                for _ in 0..<count {
                    profiles.add([value], device: DeviceID(first: UInt64(number), second: 0))
                    number += 1
                }
            }
            return profiles
        }
        let old = profiles([("5.0", 60), ("5.1", 38), ("odd", 2)], 0)
        let new = profiles([("5.1", 90), ("5.2", 10)], 1000)
        let figures = try #require(
            DriftSearch.run((old, Self.side("old", 100)), (new, Self.side("new", 100)), at: .usual))
        expect(figures.values.map(\.term.value), equals: ["5.0", "5.1", "5.2", "others"])
        #expect(figures.values.map(\.before) == [60, 38, 0, 2] && figures.values.map(\.after) == [0, 90, 10, 0])
        expect(figures.values.map(\.rare), equals: [0, 0, 0, 1])
        #expect(figures.rare == 1 && figures.keys[0].values == 4 && figures.drifts.count == 3)
        #expect(figures.keys[0].index > figures.keys[0].chance)
    }

    @Test func aCaptureWithoutDevicesIsNotCompared() {
        let none = DeviceProfiles(keys: DrawnProfiles.keys)
        #expect(
            DriftSearch.run((none, Self.side("old", 0)), (Self.drawn(1, 5).profiles, Self.side("new", 5)), at: .usual)
                == nil)
    }
}
