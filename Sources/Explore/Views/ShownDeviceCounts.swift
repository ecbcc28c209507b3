package import Documents
package import Replay

/// The devices of captures by the flags that they showed and by the filters that they matched, each counted once.
package struct ShownDeviceCounts: Sendable {
    private let byFlag: [String: Int]
    private let byFilter: [String: Int]

    /// Reads captures.
    ///
    /// - Parameter request: The captures and the account with the filters.
    /// - Returns: `nil` where the replay was refused or interrupted, and why.
    package static func reading(_ request: ReplayRequest) -> (counts: ShownDeviceCounts?, diagnostics: Diagnostics) {
        let profile = CaptureProfile(request, keys: [.flags, .filters])
        return (profile.profiles.map(ShownDeviceCounts.init), profile.diagnostics)
    }

    private init(_ profiles: DeviceProfiles) {
        var (flags, filters) = ([String: Int](), [String: Int]())
        for (value, devices) in profiles.shownValues {
            if value.key == 0 { flags[value.text] = devices } else { filters[value.text] = devices }
        }
        (byFlag, byFilter) = (flags, filters)
    }

    func ofFlag(_ name: String) -> Int { byFlag[name] ?? 0 }

    func ofFilter(_ name: String) -> Int { byFilter[name] ?? 0 }
}
