package import Documents
internal import Figures
package import PolicyEngine
package import Replay

/// The devices of captures that match the parts of an account, as `replay` and `--count` count them.
package struct AccountMatches: Sendable {
    /// All devices.
    package let devices: Int
    // Devices by filter and by flag, each by its name.
    private let filters: [String: Int]
    private let flags: [String: Int]
    private let entries: Set<DeviceID>
    private let values: [String: [String]]

    /// The number of values of a filter that are kept.
    private static let valueLimit = 3
    /// The number of attributes whose values are looked at.
    private static let keyLimit = 6

    /// Reads the captures once.
    ///
    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - diagnostics: Gets the errors and warnings about the captures.
    /// - Returns: `nil` after noting an error, and for captures without attestations.
    package init?(_ request: ReplayRequest, diagnostics: inout Diagnostics) {
        let patterns = request.account.filters.compactMap(Self.pattern)
        let attributes = patterns.map(\.key).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let keys = attributes.prefix(Self.keyLimit).map { ProfileKey(RecordKey(attribute: $0)) }
        let profile = CaptureProfile(request, keys: [.flags] + keys)
        diagnostics.merge(profile.diagnostics)
        guard let profiles = profile.profiles, let figures = profile.figures else { return nil }
        devices = figures.devices.unique
        filters = Dictionary(figures.filters.map { ($0.name, $0.devices) }) { first, _ in first }
        let shown = profiles.shownValues
        flags = Dictionary(shown.filter { $0.value.key == 0 }.map { ($0.value.text, $0.devices) }) { first, _ in first }
        entries = Set(request.account.devices.map(\.id).filter(profiles.has))
        let matcher = PatternMatcher()
        values = Dictionary(
            patterns.map { name, key, pattern in
                let number = keys.firstIndex { $0.text == key }.map { $0 + 1 }
                let found = shown.filter { $0.value.key == number }.sorted {
                    ($1.devices, ExactText($0.value.text)) < ($0.devices, ExactText($1.value.text))
                }
                .lazy.map(\.value.text).filter { matcher.isFound(pattern, in: $0) == true }
                return (name, Array(found.prefix(Self.valueLimit)))
            }
        ) { first, _ in first }
    }

    // The flags of a record are a value that follows from the account.
    private static func pattern(of filter: Filter) -> (name: String, key: String, pattern: Pattern)? {
        guard case .regex(let key, let pattern) = filter.test, !["flags-all", "public-flags"].contains(key) else {
            return nil
        }
        return (filter.name, key, pattern)
    }

    /// The number of devices that a filter matches; `nil` for one that the account does not have.
    package func devices(ofFilter name: String) -> Int? { filters[name] }

    /// The number of devices that showed a flag.
    package func devices(withFlag name: String) -> Int { flags[name] ?? 0 }

    /// True if a device with an entry in the account attests in the captures.
    package func attests(_ device: DeviceID) -> Bool { entries.contains(device) }

    /// Values in which the regex of a filter is found, those of most devices first.
    package func values(ofFilter name: String) -> [String] { values[name] ?? [] }
}
