package import Documents
package import Figures
internal import PolicyEngine
package import Replay

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
