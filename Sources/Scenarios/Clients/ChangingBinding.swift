internal import PolicyEngine

/// What an app binds its tokens to where that changes by itself, as the header of a session does (R19.1a).
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

extension Install {
    /// The value that the header of this device's requests has (R19.1).
    func headerValue(in service: SimulatedService, at time: Instant) -> String {
        let own = service.deviceID(of: attestation.device).description
        return changingBinding?.value(from: own, at: time) ?? own
    }

    /// Binds tokens to what changes by itself, where that is another value than before (R19.1a).
    mutating func bindChanged(in service: SimulatedService, at time: Instant) {
        guard changingBinding != nil else { return }
        let value = headerValue(in: service, at: time)
        if value != boundData { bind(value) }
    }
}
