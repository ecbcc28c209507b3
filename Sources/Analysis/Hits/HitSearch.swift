package import Figures
package import Replay
internal import Statistics

/// Searches combinations of values whose devices a change newly rejects far more often than the others.
///
/// A combination is reported if it has support, at least twice the share of the rest (its risk ratio), and a p-value (Fisher's
/// exact test) that remains significant among all combinations that support allows (Benjamini and Yekutieli). Nothing is
/// reported that a smaller combination already says. This is DIFF with one more condition: Abuzaid and others, "DIFF: a
/// relational interface for large-scale data explanation", PVLDB 12 (2018), whose support and risk ratio these are; there,
/// nothing is tested, and a combination is left out if a smaller one passes. Here it replaces a smaller one if it says
/// significantly more, and devices that one combination has do not count for the next, so that each explains something else.
package struct HitSearch {
    private let profiles: DeviceProfiles
    private let order: Int
    private let level: ConfidenceLevel

    /// The least number of newly rejected devices of a combination.
    package static let leastDevices = 5
    /// The greatest number of newly rejected devices for each one that a combination needs: 0.1 % of them.
    private static let leastPart = 1000
    /// The least risk ratio.
    package static let leastRatio = 2
    /// The expected share of false combinations among those reported.
    private static let significance = 0.05
    /// The greatest number of combinations that are reported.
    private static let limit = 10

    /// - Parameters:
    ///   - profiles: The finished profiles of the devices, with the effects of a change.
    ///   - order: The most values of a combination, 1 through 3.
    ///   - level: The level of the intervals.
    package init(_ profiles: DeviceProfiles, order: Int, at level: ConfidenceLevel = .usual) {
        (self.profiles, self.order, self.level) = (profiles, order, level)
    }

    /// Searches them.
    ///
    /// - Complexity: O(devices × values of a device to the power of the order), and less where few values have support.
    package func run() -> HitFigures {
        var figures = HitFigures(keys: profiles.keys, order: order, at: level)
        let total = profiles.total
        (figures.devices, figures.rejected) = (total.devices, total.affected)
        let part = (figures.rejected + Self.leastPart - 1) / Self.leastPart
        figures.support = max(Self.leastDevices, part)
        guard figures.rejected >= figures.support else { return figures }
        var counts = CombinationCounts(profiles, order: order, support: figures.support)
        figures.tried = counts.numbers.count
        let all = counts
        var found: [(candidate: Candidate, test: ProportionComparison)] = []
        while found.count < Self.limit, let next = strongest(of: counts, figures.support) {
            found.append(next)
            counts.remove(next.candidate.number)
        }
        // They were selected among all by their figures.
        let selected = level.confidence.selected(found.count, among: figures.tried)
        figures.hits = found.map { candidate, test in
            let terms = all.profileValues(of: candidate.number).map { value in
                HitFigures.Term(key: profiles.keys[value.key], value: value.text)
            }
            let mine = all[candidate.number]
            return HitFigures.Hit(
                terms: terms, devices: mine.devices, rejected: mine.affected, more: test.group.count,
                ratio: test.ratio ?? .infinity, interval: test.ratioInterval(at: selected),
                pValue: candidate.adjusted)
        }
        return figures
    }

    // A combination that passes all tests.
    private struct Candidate {
        let number: Int
        let pValue: Double
        var adjusted: Double
        let score: Double
        let size: Int
    }

    // The combination that is reported next, and its devices against the others: those of earlier ones are in neither.
    private func strongest(
        of counts: CombinationCounts, _ support: Int
    ) -> (candidate: Candidate, test: ProportionComparison)? {
        var candidates = counts.numbers.compactMap { candidate($0, counts, support) }
        let adjusted = AdjustedPValues.benjaminiYekutieli(candidates.map(\.pValue), among: counts.numbers.count)
        for index in candidates.indices { candidates[index].adjusted = adjusted[index] }
        candidates.removeAll { $0.adjusted > Self.significance }
        guard let first = candidates.min(by: { Self.isStronger($0, $1, counts) }) else { return nil }
        let byNumber = Dictionary(uniqueKeysWithValues: candidates.map { ($0.number, $0) })
        let simplest = simplest(first, byNumber, counts)
        let mine = counts[simplest.number]
        return Self.comparison(mine, counts.total - mine).map { (simplest, $0) }
    }

    // Very small p-values are 0, so that scores decide; then it is the smaller combination, and the first one.
    private static func isStronger(_ left: Candidate, _ right: Candidate, _ counts: CombinationCounts) -> Bool {
        if left.pValue != right.pValue { return left.pValue < right.pValue }
        if left.score != right.score { return left.score > right.score }
        if left.size != right.size { return left.size < right.size }
        return counts.values(of: left.number).lexicographicallyPrecedes(counts.values(of: right.number))
    }

    private func candidate(_ number: Int, _ counts: CombinationCounts, _ support: Int) -> Candidate? {
        let (mine, all) = (counts[number], counts.total)
        let rest = all - mine
        guard mine.affected >= support, rest.devices > 0,
            mine.affected * rest.devices >= Self.leastRatio * rest.affected * mine.devices
        else { return nil }
        let score = Self.score(mine, of: all)
        guard score >= Self.leastScore, let test = Self.comparison(mine, rest) else { return nil }
        return Candidate(
            number: number, pValue: FisherTest(test).greater, adjusted: 1, score: score,
            size: counts.values(of: number).count)
    }

    // Below it no p-value is significant among several, and none needs to be computed.
    private static let leastScore = 1.5

    // The deviation of the share from that of all, in standard errors.
    private static func score(_ mine: DeviceProfiles.Count, of all: DeviceProfiles.Count) -> Double {
        let (share, part) = (Double(all.affected) / Double(all.devices), Double(mine.devices) / Double(all.devices))
        let variance = Double(mine.devices) * share * (1 - share) * (1 - part)
        let deviation = Double(mine.affected) - Double(mine.devices) * share
        return variance > 0 ? deviation / variance.squareRoot() : 0
    }

    private static func comparison(
        _ group: DeviceProfiles.Count, _ rest: DeviceProfiles.Count
    ) -> ProportionComparison? {
        guard let one = Proportion(group.affected, of: group.devices),
            let other = Proportion(rest.affected, of: rest.devices)
        else { return nil }
        return ProportionComparison(one, to: other)
    }

    // A value is left out as long as the combination says no more with it.
    private func simplest(
        _ candidate: Candidate, _ candidates: [Int: Candidate], _ counts: CombinationCounts
    ) -> Candidate {
        let smaller = counts.parts(of: candidate.number).compactMap { candidates[$0] }.filter { part in
            let (mine, its) = (counts[candidate.number], counts[part.number])
            let rest = its - mine
            guard let test = Self.comparison(mine, rest) else { return true }
            return FisherTest(test).greater > Self.significance / Double(counts.numbers.count)
        }
        guard let best = smaller.min(by: { Self.isStronger($0, $1, counts) }) else { return candidate }
        return simplest(best, candidates, counts)
    }
}

extension DeviceProfiles {
    /// The devices that change sides by the values of each key.
    ///
    /// - Parameter top: The most values of a key.
    package func valueHits(top: Int) -> ValueHits {
        let values = values
        var devices = Array(repeating: 0, count: values.count)
        var (rejected, accepted) = (devices, devices)
        forEachDevice { numbers, count in
            for index in numbers.indices {
                devices[Int(numbers[index])] += count.devices
                rejected[Int(numbers[index])] += count.affected
            }
        }
        forEachAcceptedDevice { numbers in
            for index in numbers.indices { accepted[Int(numbers[index])] += 1 }
        }
        func hits(_ turned: [Int]) -> [ValueHits.Key] {
            keys.indices.map { key in
                let hit = values.indices.filter { values[$0].key == key && turned[$0] > 0 }
                let sorted = hit.sorted { left, right in
                    turned[left] == turned[right]
                        ? values[left].precedes(values[right]) : turned[left] > turned[right]
                }
                let shown = sorted.prefix(top).map {
                    ValueHits.Value(values[$0].text, devices: devices[$0], turned: turned[$0])
                }
                return ValueHits.Key(key: keys[key], different: hit.count, values: shown)
            }
        }
        return ValueHits(rejected: hits(rejected), accepted: hits(accepted))
    }
}
