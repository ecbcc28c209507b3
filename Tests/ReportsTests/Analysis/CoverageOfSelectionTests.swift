import Figures
import PolicyEngine
import Statistics
import Testing

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// The share of samples whose interval contains the true value, of intervals of what was selected by its figures: of those that a
/// report shows, on average (Benjamini and Yekutieli, 2005).
@Suite struct CoverageOfSelectionTests {
    private static let samples = Exhaustive.count(100, whole: 10_000)

    // MARK: compare

    // By flag, the share of all devices before and after.
    private static let rates = [
        (0.3, 0.3), (0.3, 0.36), (0.1, 0.16), (0.02, 0.06), (0.02, 0.02), (0.004, 0.02), (0.5, 0.4), (0.01, 0.01),
        (0.2, 0.24), (0.05, 0.05), (0.9, 0.85), (0.0, 0.015),
    ]

    private static func profiles(_ rates: [Double], _ count: Int, _ chance: inout SplitMix64) -> DeviceProfiles {
        var profiles = DeviceProfiles(keys: ["x"])
        for device in 0..<count {
            let shown = rates.indices.filter { chance.below(100_000) < Int(rates[$0] * 100_000) }
            profiles.add(
                shown.map { profiles.number(of: "\($0)", key: 0) },
                device: DeviceID(first: UInt64(device), second: chance.next()))
        }
        return profiles
    }

    @Test func intervalsOfDriftsCover() throws {
        var (chance, drifting, missed, shown, unselected, covered) = (SplitMix64(seed: 5), 0, 0.0, 0, 0, 0)
        for _ in 0..<Self.samples {
            let (old, new) = (
                Self.profiles(Self.rates.map(\.0), 300, &chance), Self.profiles(Self.rates.map(\.1), 450, &chance)
            )
            func side(_ count: Int) -> DriftFigures.Side {
                DriftFigures.Side(name: "", devices: count, attestations: count, hours: 1)
            }
            let figures = try #require(DriftSearch.run((old, side(300)), (new, side(450)), at: .usual))
            func contains(_ value: DriftFigures.Value) -> Bool {
                guard let flag = Int(value.term.value) else { return true }
                return value.interval.contains(Self.rates[flag].1 - Self.rates[flag].0)
            }
            let drifts = figures.drifts.filter { $0.rare == 0 }
            if !drifts.isEmpty { drifting += 1 }
            missed += drifts.isEmpty ? 0 : Double(drifts.count { !contains($0) }) / Double(drifts.count)
            shown += drifts.count
            let others = figures.values.filter { $0.rare == 0 && !$0.isDrift }
            (unselected, covered) = (unselected + others.count, covered + others.count(where: contains))
        }
        #expect(drifting > Self.samples / 2 && shown > Self.samples)
        #expect(missed / Double(drifting) <= 0.06, "\(missed) of \(drifting)")
        #expect(Double(covered) / Double(unselected) >= 0.94, "\(covered) of \(unselected)")
    }

    // MARK: who

    private struct Population {
        // By the values of a device: how probable they are.
        private let kinds: [(values: [Int], flags: [Bool], probability: Double)]
        let percent: @Sendable (_ values: [Int], _ flags: [Bool]) -> Int

        init(_ percent: @escaping @Sendable (_ values: [Int], _ flags: [Bool]) -> Int) {
            self.percent = percent
            // The value is one of 0..<k, and k one of 1...size.
            func probability(_ value: Int, of size: Int) -> Double {
                ((value + 1)...size).reduce(0) { $0 + 1 / Double($1) } / Double(size)
            }
            var kinds: [(values: [Int], flags: [Bool], probability: Double)] = []
            for system in 0..<6 {
                for version in 0..<5 {
                    for network in 0..<20 {
                        let shown =
                            probability(system, of: 6) * probability(version, of: 5) * probability(network, of: 20)
                        for bits in 0..<16 {
                            let flags = (0..<4).map { bits >> $0 & 1 == 1 }
                            let drawn = flags.reduce(1.0) { $0 * ($1 ? 0.12 : 0.88) }
                            kinds.append(([system, version, network], flags, shown * drawn))
                        }
                    }
                }
            }
            self.kinds = kinds
        }

        /// The true ratio of a group, of devices that no earlier group has.
        func ratio(of hit: HitFigures.Hit, after earlier: ArraySlice<HitFigures.Hit>) -> Double {
            var (mine, rest) = ((all: 0.0, rejected: 0.0), (all: 0.0, rejected: 0.0))
            for kind in kinds where !earlier.contains(where: { Self.shows(kind.values, kind.flags, $0) }) {
                let rejected = kind.probability * Double(percent(kind.values, kind.flags)) / 100
                if Self.shows(kind.values, kind.flags, hit) {
                    mine = (mine.all + kind.probability, mine.rejected + rejected)
                } else {
                    rest = (rest.all + kind.probability, rest.rejected + rejected)
                }
            }
            return mine.rejected / mine.all / (rest.rejected / rest.all)
        }

        private static func shows(_ values: [Int], _ flags: [Bool], _ hit: HitFigures.Hit) -> Bool {
            hit.terms.allSatisfy { term in
                guard let number = Int(term.value.dropFirst()) else { return false }
                if term.key == "flags" { return flags[number] }
                return DrawnProfiles.keys.firstIndex(of: term.key).map { values[$0] == number } ?? false
            }
        }
    }

    // Causes that are found in some samples only, and mostly where chance makes them large.
    @Test func ratiosOfGroupsCover() {
        let population = Population { values, flags in flags[1] ? 11 : values[0] == 1 && values[1] == 0 ? 9 : 3 }
        var (reporting, missed, truths): (Int, Double, [String: Double]) = (0, 0, [:])
        for seed in 0..<Self.samples {
            let drawn = DrawnProfiles(seed: UInt64(90_000 + seed), count: 700, percent: population.percent)
            let hits = HitSearch(drawn.profiles, order: 2).run().hits
            guard !hits.isEmpty else { continue }
            reporting += 1
            let misses = hits.indices.count { index in
                let name = hits[...index].map(\.condition).joined(separator: ";")
                let truth = truths[name] ?? population.ratio(of: hits[index], after: hits[..<index])
                truths[name] = truth
                return !hits[index].interval.contains(truth)
            }
            missed += Double(misses) / Double(hits.count)
        }
        // The rate of Benjamini and Yekutieli is that of all samples, of which those without a group miss nothing. One in eight samples
        // reports a group here, mostly where chance makes it large; of those intervals 92 % contain the true ratio.
        #expect(reporting > Self.samples / 10)
        #expect(missed / Double(Self.samples) <= 0.05, "\(missed) of \(Self.samples)")
        #expect(missed / Double(reporting) <= 0.1, "\(missed) of \(reporting)")
    }
}
