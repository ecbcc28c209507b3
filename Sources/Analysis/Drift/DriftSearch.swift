package import Documents
package import Figures
internal import PolicyEngine
package import Replay
internal import Statistics

/// Compares the devices of two captures by the values that they showed.
///
/// The shares are those of independent samples (Newcombe's interval, Fisher's mid-p). Devices of both captures mostly show the
/// same values again, which makes a difference by chance smaller: intervals are then too wide rather than too narrow. Of a device
/// that is not evaluated, every value that the account decides on may be another one.
package enum DriftSearch {
    /// The least number of devices, of both captures together, for a value to be tested; the values that fewer show are added up.
    package static let leastDevices = 5

    private static let decided = [ProfileKey.verdict, .flags, .filters].map(\.text)

    /// Compares finished profiles with the same keys.
    ///
    /// - Parameters:
    ///   - old: The older capture, and what it is called.
    ///   - new: The newer one.
    ///   - level: The level of the intervals.
    /// - Returns: `nil` if one of them has no device.
    package static func run(
        _ old: (profiles: DeviceProfiles, side: DriftFigures.Side),
        _ new: (profiles: DeviceProfiles, side: DriftFigures.Side), at level: ConfidenceLevel
    ) -> DriftFigures? {
        guard old.side.devices > 0, new.side.devices > 0 else { return nil }
        let confidence = level.confidence
        var figures = DriftFigures(old: old.side, new: new.side, level: level.text)
        figures.common = old.profiles.commonDevices(with: new.profiles)
        let shown = ShownPairs(old.profiles, new.profiles)
        figures.rare = shown.rare.count
        func compared(_ pair: ShownPair) -> ComparedPair? {
            let isDecided = decided.contains(old.profiles.keys[pair.key])
            return ComparedPair(pair, old.side, new.side, isDecided: isDecided)
        }
        let tested = (shown.frequent + shown.others).compactMap(compared)
        let all = tested + shown.rare.compactMap(compared)
        func term(_ pair: ShownPair) -> HitFigures.Term {
            HitFigures.Term(key: old.profiles.keys[pair.key], value: pair.value?.text ?? "others")
        }
        // Of equal ones it is the first.
        figures.greatest = all.reduce(nil) { greatest, compared in
            let difference = compared.greatestDifference
            guard difference > greatest?.difference ?? -1 else { return greatest }
            return DriftFigures.Greatest(term: term(compared.pair), difference: difference)
        }
        // All differences are within a limit if each is, by a test at the level itself (Berger, Technometrics 24, 1982).
        figures.bound = all.reduce(0) { max($0, $1.bound(at: confidence)) }
        let adjusted = AdjustedPValues.benjaminiYekutieli(tested.map(\.pValue))
        let selected = confidence.selected(
            adjusted.count { $0 <= DriftFigures.significance }, among: tested.count)
        let values = zip(tested, adjusted).map { compared, pValue in
            DriftFigures.Value(
                term: term(compared.pair), rare: compared.pair.rare, before: compared.pair.before,
                after: compared.pair.after, difference: compared.shown.difference,
                interval: compared.interval(at: pValue <= DriftFigures.significance ? selected : confidence),
                pValue: pValue)
        }
        figures.values = sorted(values, (old.side.devices, new.side.devices))
        figures.keys = old.profiles.keys.enumerated().map { index, key in
            let pairs = (shown.frequent + shown.rare).filter { $0.key == index }
            let stability = shown.stability(of: pairs, key: index, (old.side.devices, new.side.devices))
            return DriftFigures.Key(
                key: key, values: pairs.count, isDecided: decided.contains(key), index: stability?.index ?? 0,
                chance: stability?.chanceLevel(at: confidence) ?? 0)
        }
        return figures
    }

    // The largest difference first, without rounding, times both totals; the order remains where differences are equal.
    private static func sorted(
        _ values: [DriftFigures.Value], _ totals: (old: Int, new: Int)
    ) -> [DriftFigures.Value] {
        func weight(_ value: DriftFigures.Value) -> Int { abs(value.after * totals.old - value.before * totals.new) }
        return values.enumerated().sorted { left, right in
            let (one, other) = (weight(left.element), weight(right.element))
            return one == other ? left.offset < right.offset : one > other
        }.map(\.element)
    }
}

/// A value, or the values of a key that few devices showed, and the devices that showed it before and after.
private struct ShownPair {
    let key: Int
    /// `nil` for several values.
    let value: DeviceProfiles.Value?
    let before, after: Int
    /// The number of several values.
    var rare = 0
}

/// The values that devices of two captures showed.
private struct ShownPairs {
    /// In the order of keys and values: those that enough devices showed, and the others.
    let frequent, rare: [ShownPair]
    /// The devices that showed any of the others, key by key.
    let others: [ShownPair]
    // By key, the devices that showed any value.
    private let showing: (before: [Int], after: [Int])

    init(_ old: DeviceProfiles, _ new: DeviceProfiles) {
        var counts: [DeviceProfiles.Value: (before: Int, after: Int)] = [:]
        for (value, devices) in old.shownValues { counts[value, default: (0, 0)].before = devices }
        for (value, devices) in new.shownValues { counts[value, default: (0, 0)].after = devices }
        let pairs = counts.sorted { $0.key.precedes($1.key) }.map { value, count in
            ShownPair(key: value.key, value: value, before: count.before, after: count.after)
        }
        frequent = pairs.filter { $0.before + $0.after >= DriftSearch.leastDevices }
        rare = pairs.filter { $0.before + $0.after < DriftSearch.leastDevices }
        let values = Set(rare.compactMap(\.value))
        let (before, after) = (old.devices { values.contains($0) }, new.devices { values.contains($0) })
        others = old.keys.indices.compactMap { [rare] key in
            let count = rare.count { $0.key == key }
            guard count > 0 else { return nil }
            return ShownPair(key: key, value: nil, before: before[key], after: after[key], rare: count)
        }
        showing = (old.devices { _ in true }, new.devices { _ in true })
    }

    /// The distance between the values of a key; devices that showed none of them are a category of their own.
    func stability(
        of pairs: [ShownPair], key: Int, _ totals: (old: Int, new: Int)
    ) -> PopulationStability? {
        let without = (totals.old - showing.before[key], totals.new - showing.after[key])
        let none = without == (0, 0) ? [] : [without]
        let counts = pairs.map { ($0.before, $0.after) } + none
        return PopulationStability(counts.map(\.0), counts.map(\.1))
    }
}

/// The shares of devices that showed a value, and the two extreme cases of what is not known of them.
private struct ComparedPair {
    let pair: ShownPair
    /// As the captures show it.
    let shown: ProportionComparison
    // The cases that as few devices as possible show the value after, and as many as possible before; and the other way round.
    private let least, greatest: ProportionComparison

    /// - Parameter isDecided: True if devices that are not evaluated may show another value.
    init?(_ pair: ShownPair, _ old: DriftFigures.Side, _ new: DriftFigures.Side, isDecided: Bool) {
        func share(_ count: Int, _ side: DriftFigures.Side, _ direction: Int) -> Proportion? {
            let moved = count + (isDecided ? direction * side.unevaluated : 0)
            return Proportion(min(max(moved, 0), side.devices), of: side.devices)
        }
        func comparison(_ direction: Int) -> ProportionComparison? {
            guard let after = share(pair.after, new, direction), let before = share(pair.before, old, -direction) else {
                return nil
            }
            return ProportionComparison(after, to: before)
        }
        guard let shown = comparison(0), let least = comparison(-1), let greatest = comparison(1) else { return nil }
        (self.pair, self.shown, self.least, self.greatest) = (pair, shown, least, greatest)
    }

    /// The greatest difference that is possible.
    var greatestDifference: Double { max(-least.difference, greatest.difference) }

    /// The p-value of the same share in both, whatever is not known.
    var pValue: Double {
        let nearest = shown.difference > 0 ? least : greatest
        guard shown.difference * nearest.difference > 0 else { return 1 }
        return FisherTest(nearest).twoSidedMidP
    }

    func interval(at confidence: Confidence) -> ConfidenceInterval {
        ConfidenceInterval(
            least.differenceInterval(at: confidence).lower, greatest.differenceInterval(at: confidence).upper)
    }

    /// The bound that the difference does not exceed in either direction.
    func bound(at confidence: Confidence) -> Double {
        max(-least.differenceLowerBound(at: confidence), greatest.differenceUpperBound(at: confidence))
    }
}

/// Reads two captures under one account, and compares their devices.
package struct CaptureDrift: Sendable {
    /// `nil` where the input was refused, or a capture has no device.
    package let figures: DriftFigures?
    /// The errors and warnings about the input.
    package let diagnostics: Diagnostics

    /// The kinds of values that are compared unless others are asked for: verdicts, flags, filters, apps, versions, systems.
    package static let usualKeys: [ProfileKey] =
        [.verdict, .flags, .filters] + ["appid", "app-version"].map { ProfileKey(RecordKey(attribute: $0)) }
        + ["os-version"].compactMap { try? ProfileKey(RecordKey($0)) }

    /// - Parameters:
    ///   - old: The older captures, how they are read, and the account.
    ///   - new: The newer ones.
    ///   - keys: The kinds of values that are compared.
    ///   - level: The level of the intervals.
    ///   - progress: Shows from time to time how far reading is.
    package init(
        old: ReplayRequest, new: ReplayRequest, keys: [ProfileKey] = usualKeys, at level: ConfidenceLevel,
        progress: Progress = Progress()
    ) {
        let before = CaptureProfile(old, keys: keys, progress: progress)
        let after = CaptureProfile(new, keys: keys, progress: progress)
        var diagnostics = before.diagnostics
        diagnostics.merge(after.diagnostics)
        self.diagnostics = diagnostics
        guard !diagnostics.hasErrors, let first = Self.side(before, old), let second = Self.side(after, new) else {
            figures = nil
            return
        }
        figures = DriftSearch.run(first, second, at: level)
    }

    private static func side(
        _ profile: CaptureProfile, _ request: ReplayRequest
    ) -> (profiles: DeviceProfiles, side: DriftFigures.Side)? {
        guard let profiles = profile.profiles, let figures = profile.figures else { return nil }
        let hours = figures.hours.keys
        let length = hours.max().flatMap { last in hours.min().map { (last - $0) / 3600 + 1 } } ?? 0
        return (
            profiles,
            DriftFigures.Side(
                name: request.captures.joined(separator: " "), devices: profiles.count,
                attestations: figures.attestations, hours: length, unevaluated: figures.unevaluated.devices)
        )
    }
}
