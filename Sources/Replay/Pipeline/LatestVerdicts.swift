internal import PolicyEngine

/// The verdict of each device's latest attestation, which says what its fetches are worth.
struct LatestVerdicts {
    // By device number; `nil` for one that never attested.
    private var verdicts: [Bool?] = []

    /// Notes a decision.
    mutating func note(_ decision: Decision) {
        let device = decision.device.offset
        if device >= verdicts.count {
            verdicts.append(contentsOf: repeatElement(nil, count: device + 1 - verdicts.count))
        }
        verdicts[device] = decision.passed
    }

    /// The verdict of a device; `nil` for one that never attested.
    subscript(device: DeviceIndex) -> Bool? { device.offset < verdicts.count ? verdicts[device.offset] : nil }
}
