internal import PolicyEngine

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
