internal import PolicyEngine
internal import Replay

/// An app on a device: what is observed of it, and its client's cache (R14).
struct Install: Sendable {
    let group: Int
    /// Its number within the group, counted from 0.
    let number: Int
    /// What can be found out beyond what it sends.
    var evidence: DeviceEvidence
    /// What the next attestation sends; the time is set when it is sent.
    var attestation: Attestation
    var token: CachedToken?
    /// The network that the device is in.
    var network = NetworkState.ok
    /// Whether the pinning self-test caught something in this install; stays until it is installed anew (R10, step 5).
    var hasTamperedPinning = false
    /// The data that tokens are bound to.
    var boundData: String?
    /// How many device IDs it had before.
    var generation = 0
    /// The number of the kind of client, for metrics.
    var kind = 0
    /// What the client counted and did not report yet.
    var statistics = ClientStatistics()
    /// What it counted before it became one of another kind, and did not report yet.
    var held: [(kind: Int, statistics: ClientStatistics)] = []

    /// The flags observed now; `risky-device` is derived, and not observed (R2.4).
    var observedFlags: FlagSet {
        var flags = attestation.flags
        flags.remove(.riskyDevice)
        if hasTamperedPinning { flags.insert(.pinningTampered) }
        return flags
    }

    /// Forgets what the client kept in memory, as a new start of the app does.
    mutating func launch(at time: Instant) {
        token = nil
        evidence.launched = time
        evidence.isFirstSinceLaunch = true
        evidence.hasMetFailoverOnly = false
    }

    /// Forgets what the install kept, as a new install does; it is launched at once.
    mutating func reinstall(at time: Instant) {
        launch(at: time)
        boundData = nil
        hasTamperedPinning = false
        statistics = ClientStatistics()
        held = []
    }

    /// Makes the client one of a kind; what it counted before stays with the kind that it was.
    mutating func become(_ kind: Int) {
        if kind != self.kind, statistics != ClientStatistics() {
            held.append((self.kind, statistics))
            statistics = ClientStatistics()
        }
        self.kind = kind
    }

    /// Binds tokens to data; other data ends the cached token (R14.1).
    mutating func bind(_ data: String) {
        if boundData != data { token?.isOutdated = true }
        boundData = data
        statistics.bindings &+= 1
    }
}
