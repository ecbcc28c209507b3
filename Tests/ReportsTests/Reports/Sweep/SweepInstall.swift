import PolicyEngine

/// An app on a phone, and what its client keeps (R14).
struct SweepInstall {
    let group: Int
    let number: Int
    /// Equal names share the hardware.
    let hardware: String
    /// `ios` or `android` where the group says; else the `device` attribute says.
    let statedSystem: String?
    var generation = 0
    var id: String
    var flags: Set<String>
    var attributes: [String: String]
    var isRegistered: Bool
    var network = "ok"
    var launched: Instant
    var token: SweepToken?
    /// The data that tokens are bound to.
    var data: String?
    /// The changes of that data by itself (R19.1a).
    var binding: (since: Instant, every: Int)?
    /// R10, step 5: persists by install.
    var isTampered = false
    /// R18.7: true if somebody has switched its pinning off, and if its first fetch was made.
    let isCompromised: Bool
    var hasTested = false
    /// True if nothing attested since the launch; for SafetyNet, if nothing attested to the primary service.
    var isFirstSinceLaunch = true
    var isFirstForSafetyNet = true

    /// The flags observed of it (R2.4, R10, step 5).
    var observed: Set<String> { flags.subtracting(["risky-device"]).union(isTampered ? ["pinning-tampered"] : []) }

    /// True if its SDK is of a version or later; one that does not say counts as new enough.
    func hasSDK(_ major: Int, _ minor: Int) -> Bool {
        guard let text = attributes["sdk-version"] else { return true }
        let numbers = text.split(separator: "-")[0].split(separator: ".").compactMap { Int($0) }
        return numbers[0] > major || numbers[0] == major && numbers[1] >= minor
    }

    /// The attributes that it sends: an old SDK knows no user property (R7.8).
    var sent: [String: String] { hasSDK(2, 5) ? attributes : attributes.filter { $0.key != "user-property" } }

    /// `ios`, `android` or `unknown`.
    var system: String {
        if let statedSystem { return statedSystem }
        let device = attributes["device"] ?? ""
        return device.hasPrefix("Android") ? "android" : device.hasPrefix("iOS") ? "ios" : "unknown"
    }

    /// The app starts anew; what was in memory is gone.
    mutating func launch(at time: Instant) {
        (launched, token, isFirstSinceLaunch, isFirstForSafetyNet) = (time, nil, true, true)
    }

    /// The app is installed anew; what the install kept is gone, too.
    mutating func reinstall(at time: Instant) {
        launch(at: time)
        (data, isTampered, hasTested) = (nil, false, false)
    }

    /// Other data ends the cached token, for good.
    mutating func bind(_ other: String) {
        if other != data { token?.isOutdated = true }
        data = other
    }

    /// Binds what changes by itself, as the app does when it asks for a token.
    mutating func bindChanged(at time: Instant) {
        guard let binding else { return }
        let changes = (time - binding.since) / binding.every
        let value = changes == 0 ? id : "\(id)/\(changes)"
        if value != data { bind(value) }
    }

    /// R14.2b.
    func reason(at time: Instant) -> String {
        guard let token else { return "launch" }
        return token.isExpired(at: time) ? "expiry" : "change"
    }
}

/// A token in a client's cache.
struct SweepToken {
    let time: Instant
    /// The changes of the account, made and in force, when it was issued: in one second the order of the steps decides.
    let moment: SweepService.Moment
    let lifetime: Int
    /// The flags that were observed.
    let observed: Set<String>
    /// True if other data was bound since.
    var isOutdated = false

    func isExpired(at time: Instant) -> Bool { time - self.time >= lifetime }
}

/// A fetch and its result.
struct SweepFetch: Hashable, CustomStringConvertible {
    let group: Int
    let number: Int
    let result: String
    let isCached: Bool

    var description: String { "\(group)/\(number) \(result)" }
}
