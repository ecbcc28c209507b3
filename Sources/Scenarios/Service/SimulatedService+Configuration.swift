internal import PolicyEngine

// The delivery of configurations to installs (R17), and the pinning test (R18.7).
extension SimulatedService {
    /// The revision that is built into an app.
    func builtInRevision(_ configuration: ConfigurationState, at time: Instant) -> Int {
        guard let made = configuration.builtIn, !configurations.isUnchanged else { return 0 }
        return configurations.newest(at: min(made, time))
    }

    /// Hands over the newest revision of a device (R17.3).
    func deliver(to configuration: inout ConfigurationState, of device: DeviceIndex, at time: Instant) {
        let all = configurations
        let newest = all.isUnchanged ? 0 : all.newest(for: deviceID(of: device), at: time)
        configuration.deliver(newest, forced: all.forced(at: time))
    }

    /// True if there is a newer revision of a device than was delivered or is built in.
    func hasNewer(_ configuration: ConfigurationState, for device: DeviceIndex, at time: Instant) -> Bool {
        guard isOutdated(configuration, of: device, at: time) else { return false }
        return configuration.delivered < configurations.newest(for: deviceID(of: device), at: time)
    }

    /// True if the configuration that is built into an app is not the newest (R17.5).
    func isOutdated(_ configuration: ConfigurationState, of device: DeviceIndex, at time: Instant) -> Bool {
        guard !configurations.isUnchanged else { return false }
        return builtInRevision(configuration, at: time) < configurations.newest(for: deviceID(of: device), at: time)
    }

    /// Starts a new install; the SDK or the app may fetch the newest configuration then (R17.3).
    ///
    /// - Parameters:
    ///   - isReachable: True if the primary service answers it.
    ///   - time: Now.
    func start(_ install: inout Install, isReachable: Bool, at time: Instant) {
        let isFetched = isReachable && install.configuration.fetchesAtFirstStart
        let device = deviceID(of: install.attestation.device)
        install.start(fetching: isFetched ? configurations.newest(for: device, at: time) : nil)
    }

    /// Writes into an attestation what its device found where its entry's probe URL leads (R18.8), in the form of the
    /// manual.
    ///
    /// - Parameters:
    ///   - path: The way from the device to its backends.
    ///   - time: Now.
    func probe(for attestation: inout Attestation, through path: NetworkPath, at time: Instant) {
        guard let url = probeURL(of: attestation.device, at: time) else { return }
        write(probeOf: url, into: &attestation, through: path)
    }

    /// Writes into an attestation what an earlier probe of its device found, unless it shows another result.
    ///
    /// - Returns: True if it was written.
    func show(_ result: ValueNumber, in attestation: inout Attestation) -> Bool {
        guard attestation.value(of: probeKey) == .absent else { return false }
        attestation.set(result, for: probeKey)
        return true
    }

    /// Writes into an attestation what its device found at a URL, unless it probed another one.
    ///
    /// - Returns: True if it was written.
    @discardableResult
    func write(probeOf url: String, into attestation: inout Attestation, through path: NetworkPath) -> Bool {
        guard attestation.value(of: probeKey) == .absent, let host = RequestedDomain.domain(of: url)?.lowercased()
        else {
            return false
        }
        guard let chain = path.chain(at: host, of: backends[host]) else { return false }
        let lines = chain.keys.map { name in
            "\n   \(PublicKeyPin.pin(inChain: name)): \(PublicKeyPin.subject(inChain: name))"
        }
        let text = "\n  probe result for \(url):" + lines.joined()
        attestation.set(symbols.attributes.intern(text, for: probeKey), for: probeKey)
        return true
    }

    /// True if a fetch tries the pinning test: a full URL with `https` is set and in force, and the SDK is new enough (R18.7).
    func testsPinning(of attestation: borrowing Attestation, at time: Instant) -> Bool {
        guard let url = engine.account(inForceAt: time).pinningTestURL, url.contains("://") else { return false }
        return RequestedDomain.domain(of: url) != nil && supports(.pinningTest, attestation)
    }
}
