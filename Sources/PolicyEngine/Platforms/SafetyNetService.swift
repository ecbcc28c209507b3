/// Google's side of SafetyNet, simulated: how many attestations a key is good for (R9.3).
package struct SafetyNetService: Sendable {
    private var days: [ExactText: Use] = [:]
    private var minute = Int.min
    // Of the minute that is running.
    private var inMinute: [PhysicalDevice: Int] = [:]

    private struct Use {
        var day: Int
        var count: Int
    }

    /// Attestations of one device in one minute of the clock.
    package static let minuteQuota = 5

    /// Makes a service that nobody has used.
    package init() {}

    /// Asks for an attestation and counts it, if the quotas let it.
    ///
    /// - Parameters:
    ///   - device: The device; at most ``minuteQuota`` a minute.
    ///   - key: The API key; accounts with the same key draw on the same quota.
    ///   - dailyQuota: The number that the key is good for on a UTC day.
    ///   - time: Now; not before the time of an earlier call.
    /// - Returns: True if there is one; a refused one is not counted.
    package mutating func grantsAttestation(
        of device: PhysicalDevice, key: String, dailyQuota: Int, at time: Instant
    ) -> Bool {
        if time.minuteNumber != minute {
            minute = time.minuteNumber
            inMinute.removeAll(keepingCapacity: true)
        }
        var use = days[ExactText(key)] ?? Use(day: time.dayNumber, count: 0)
        if use.day != time.dayNumber { use = Use(day: time.dayNumber, count: 0) }
        guard use.count < dailyQuota, inMinute[device, default: 0] < Self.minuteQuota else { return false }
        use.count += 1
        days[ExactText(key)] = use
        inMinute[device, default: 0] += 1
        return true
    }
}

/// The result of a SafetyNet attestation of a device (R9.2).
package enum SafetyNetOutcome: String, Hashable, Sendable, CaseIterable {
    /// Nothing to object to.
    case pass
    /// The token is not Google's, or not of this attestation.
    case failToken = "fail-token"
    /// `basicIntegrity` is false.
    case failIntegrity = "fail-integrity"
    /// `ctsProfileMatch` is false.
    case failProfile = "fail-profile"
    /// The app's certificate is none that the account expects.
    case failCertificate = "fail-cert"
    /// There is no token: not supported, no Play services, or no way to Google.
    case unavailable

    /// The flags to persist for this outcome.
    ///
    /// - Parameter checksCertificates: True if the account has app signing certificates to compare with; without them
    ///   the app's certificate is not looked at.
    func flags(checkingCertificates checksCertificates: Bool) -> FlagSet {
        switch self {
        case .pass: [.safetyNetCompleted]
        case .failToken: [.safetyNetCompleted, .safetyNetFailToken]
        case .failIntegrity: [.safetyNetCompleted, .safetyNetFailIntegrity]
        case .failProfile: [.safetyNetCompleted, .safetyNetFailProfile]
        case .failCertificate:
            checksCertificates ? [.safetyNetCompleted, .safetyNetFailCertificate] : [.safetyNetCompleted]
        case .unavailable: [.safetyNetUnavailable]
        }
    }
}
