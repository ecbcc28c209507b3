internal import PolicyEngine

/// An app on a device: what is observed of it, and its client's cache (R14).
struct Install: Sendable {
    let group: Int
    /// Its number within the group, counted from 0.
    let number: Int
    var operatingSystem: OperatingSystem
    /// What the next attestation sends; the time is set when it is sent.
    var attestation: Attestation
    var token: CachedToken?
    /// Whether the pinning self-test caught something in this install; stays until it is installed anew (R10, step 5).
    var hasTamperedPinning = false
    /// The data that tokens are bound to.
    var boundData: String?
    /// How many device IDs it had before.
    var generation = 0

    /// The flags observed now.
    var observedFlags: FlagSet {
        hasTamperedPinning ? attestation.flags.union([.pinningTampered]) : attestation.flags
    }

    /// Forgets what the client kept, as a new start of the app does.
    mutating func launch() { token = nil }

    /// Forgets what the install kept, as a new install does.
    mutating func reinstall() {
        token = nil
        boundData = nil
        hasTamperedPinning = false
    }

    /// Binds tokens to data; other data ends the cached token (R14.1).
    mutating func bind(_ data: String) {
        if boundData != data { token = nil }
        boundData = data
    }
}
