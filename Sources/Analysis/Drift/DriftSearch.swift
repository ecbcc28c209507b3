package import Documents
package import Figures
internal import PolicyEngine
package import Replay
internal import Statistics

/// Compares the devices of two captures by the values that they showed.
///
/// The shares are those of independent samples (Newcombe's interval, Fisher's mid-p). Devices of both captures mostly show the
/// same values again, which makes a difference by chance smaller: intervals are then too wide rather than too narrow.
package enum DriftSearch {
    /// The least number of devices, of both captures together, for a value to be tested; fewer could not show a difference.
    package static let leastDevices = 5

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
        let counts = pairs(old.profiles, new.profiles)
        figures.keys = old.profiles.keys.enumerated().map { index, key in
            self.key(key, counts.filter { $0.value.key == index }, at: confidence)
        }
        let tested = counts.filter { $0.before + $0.after >= leastDevices }
        figures.rare = counts.count - tested.count
        let totals = (old.side.devices, new.side.devices)
        figures.values = tested.compactMap { pair in
            value(pair, key: old.profiles.keys[pair.value.key], totals, at: confidence)
        }
        let simultaneous = confidence.shared(among: tested.count)
        figures.bound = tested.compactMap { comparison(of: $0, totals)?.differenceInterval(at: simultaneous) }
            .reduce(0) { max($0, -$1.lower, $1.upper) }
        let adjusted = AdjustedPValues.benjaminiYekutieli(figures.values.map(\.pValue))
        for index in figures.values.indices { figures.values[index].pValue = adjusted[index] }
        // The order of the values remains where differences are equal.
        let order = figures.values.enumerated().sorted { left, right in
            let (one, other) = (weight(left.element, totals), weight(right.element, totals))
            return one == other ? left.offset < right.offset : one > other
        }
        figures.values = order.map(\.element)
        return figures
    }

    // The difference without rounding, times both totals.
    private static func weight(_ value: DriftFigures.Value, _ totals: (old: Int, new: Int)) -> Int {
        abs(value.after * totals.old - value.before * totals.new)
    }

    private typealias Pair = (value: DeviceProfiles.Value, before: Int, after: Int)

    // The values of either, in their order.
    private static func pairs(_ old: DeviceProfiles, _ new: DeviceProfiles) -> [Pair] {
        var counts: [DeviceProfiles.Value: (before: Int, after: Int)] = [:]
        for (value, devices) in old.shownValues { counts[value, default: (0, 0)].before = devices }
        for (value, devices) in new.shownValues { counts[value, default: (0, 0)].after = devices }
        return counts.map { ($0, $1.before, $1.after) }.sorted { $0.value.precedes($1.value) }
    }

    private static func key(_ name: String, _ counts: [Pair], at confidence: Confidence) -> DriftFigures.Key {
        let stability = PopulationStability(counts.map(\.before), counts.map(\.after))
        return DriftFigures.Key(
            key: name, values: counts.count, index: stability?.index ?? 0,
            chance: stability?.chanceLevel(at: confidence) ?? 0)
    }

    private static func comparison(of pair: Pair, _ totals: (old: Int, new: Int)) -> ProportionComparison? {
        guard let before = Proportion(pair.before, of: totals.old), let after = Proportion(pair.after, of: totals.new)
        else { return nil }
        return ProportionComparison(after, to: before)
    }

    private static func value(
        _ pair: Pair, key: String, _ totals: (old: Int, new: Int), at confidence: Confidence
    ) -> DriftFigures.Value? {
        guard let comparison = comparison(of: pair, totals) else { return nil }
        return DriftFigures.Value(
            term: HitFigures.Term(key: key, value: pair.value.text), before: pair.before, after: pair.after,
            difference: comparison.difference, interval: comparison.differenceInterval(at: confidence),
            pValue: FisherTest(comparison).twoSidedMidP)
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
        var figures = DriftSearch.run(first, second, at: level)
        figures?.unevaluated = [before, after].reduce(0) { $0 + ($1.figures?.unevaluated.devices ?? 0) }
        self.figures = figures
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
                attestations: figures.attestations, hours: length)
        )
    }
}
