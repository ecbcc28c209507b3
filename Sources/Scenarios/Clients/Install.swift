internal import Figures
internal import PolicyEngine

/// An app on a device: what is observed of it, and its client's cache (R14).
struct Install: Sendable {
    let group: Int
    /// Its number within the group, counted from 0.
    let number: Int
    /// The facts that can be found out about the device beyond its attestation.
    var evidence: DeviceEvidence
    /// The next attestation; its time is set when it is sent.
    var attestation: Attestation
    var token: CachedToken?
    /// The revisions of the configuration that it has, and the app's way to handle them (R17).
    var configuration: ConfigurationState
    /// The network that the device is in, as the service's channel finds it.
    private(set) var network = NetworkState.ok
    /// The way from the app to its backends (R18.6).
    private(set) var path = NetworkPath()
    /// True if an attacker has switched the app's pinning off, so that it connects whatever the pins say (R18.5, R18.7).
    var hasCompromisedPinning = false
    /// True if the pinning test of this install was made (R18.7).
    var hasTestedPinning = false
    /// Counts what can change the outcome of a request that is made with the token in the cache.
    var epoch: UInt32 = 0
    /// True if the pinning self-test detected tampering in this install; stays until it is installed anew (R10, step 5).
    var hasTamperedPinning = false
    /// The result of a probe that the latest attestation caused, which the next one carries (R18.8).
    var probeResult: ValueNumber?
    /// The seconds by which the phone's clock is ahead of the service's (R19.9).
    var clock = 0
    /// The data that tokens are bound to.
    var boundData: String?
    /// The rule by which the bound data changes by itself, if it does (R19.1a); stays when the app is installed anew.
    var changingBinding: ChangingBinding?
    /// The strings that it has (R21.2).
    var strings = SecureStrings()
    /// The measurement, as the app keeps it and the remote hardware knows it (R22).
    var measurement: Measurement?
    /// The number of device IDs that it had before.
    var generation = 0
    /// The number of the kind of client, for metrics.
    var kind = 0
    /// The counts that the client has not reported yet.
    var statistics = ClientStatistics()
    /// The unreported counts from before it became a client of another kind.
    var held: [(kind: Int, statistics: ClientStatistics)] = []
    /// The decided rules on which what it got rests.
    var decidedRules: DecidedRules = []
    /// The hosts to which it connected since it was launched or moved, a bit for each (``RequestRound/hostBit``).
    var connections: UInt64 = 0

    /// The flags observed now; `risky-device` is derived, and not observed (R2.4).
    var observedFlags: FlagSet {
        var flags = attestation.flags
        flags.remove(.riskyDevice)
        if hasTamperedPinning { flags.insert(.pinningTampered) }
        return flags
    }

    /// True if its network reaches the primary service.
    var reachesService: Bool { network == .ok }

    /// Moves to another network.
    mutating func move(to change: NetworkChange) {
        // A proxy on the way to some domains leaves the service's own channel alone.
        network = change.path.proxy?.domains == nil ? change.state : .ok
        path = change.path
        epoch &+= 1
        connections = 0
    }

    /// Forgets what the client kept in memory, as a new start of the app does, and loads the configuration that was
    /// stored (R17.3).
    mutating func launch(at time: Instant) {
        forgetMemory(at: time)
        if configuration.launch() { statistics.pinReads &+= 1 }
    }

    private mutating func forgetMemory(at time: Instant) {
        epoch &+= 1
        connections = 0
        token = nil
        evidence.launched = time
        evidence.isFirstSinceLaunch = true
        evidence.hasMetFailoverOnly = false
    }

    /// Forgets what the install kept, as a new install does; then it has to be started.
    mutating func reinstall(at time: Instant) {
        forgetMemory(at: time)
        boundData = nil
        hasTamperedPinning = false
        hasTestedPinning = false
        probeResult = nil
        strings = SecureStrings()
        measurement = nil
        statistics = ClientStatistics()
        held = []
    }

    /// Starts a new install for the first time.
    ///
    /// - Parameter newest: The newest revision of the configuration, where it is fetched (R17.3).
    mutating func start(fetching newest: Int?) {
        configuration.start(fetching: newest)
        // Without network nothing is tried (manual, Writing Dynamic SDK Configuration).
        if configuration.fetchesAtFirstStart, network != .none { statistics.configurationFetches &+= 1 }
        if configuration.reading != .connection { statistics.pinReads &+= 1 }
    }

    /// Lets the app do what it does about a changed configuration when a fetch says of one (R17.3, R17.4, R18.4).
    ///
    /// - Parameters:
    ///   - settings: The settings of the app.
    ///   - notice: The notice of the fetch.
    ///   - time: Now.
    /// - Returns: True if it was launched anew.
    mutating func react(_ settings: ClientSettings, to notice: ConfigurationNotice, at time: Instant) -> Bool {
        if notice.isChanged, settings.handling == .app || settings.reading == .configurationChange {
            configuration.fetch()
            statistics.configurationFetches &+= 1
            if settings.reading == .configurationChange {
                configuration.readPins()
                statistics.pinReads &+= 1
            }
            epoch &+= 1
        }
        guard notice.isForced, settings.relaunchesOnForce else { return false }
        launch(at: time)
        return true
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

/// Data that an app binds its tokens to and that changes by itself, as the header of a session does (R19.1a).
struct ChangingBinding: Hashable, Sendable {
    /// When it began.
    let since: Instant
    /// Seconds from one change to the next, at least 1.
    let every: Int

    /// The value at a time: that of the device, and behind it how often it changed.
    ///
    /// - Parameters:
    ///   - own: The value of the device.
    ///   - time: Not before it began.
    func value(from own: String, at time: Instant) -> String {
        let changes = (time - since) / every
        return changes == 0 ? own : "\(own)/\(changes)"
    }
}
