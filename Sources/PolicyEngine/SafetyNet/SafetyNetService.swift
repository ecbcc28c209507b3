/// Google's side of SafetyNet, simulated: how many attestations a key is good for (R9.3).
public struct SafetyNetService: Sendable {
    private var days: [String: Use] = [:]
    private var minute = Int.min
    // Of the minute that is running.
    private var inMinute: [PhysicalDevice: Int] = [:]

    private struct Use {
        var day: Int
        var count: Int
    }

    /// Attestations of one device in one minute of the clock.
    public static let minuteQuota = 5

    /// Makes a service that nobody has used.
    public init() {}

    /// Asks for an attestation and counts it, if the quotas let it.
    ///
    /// - Parameters:
    ///   - device: The device; at most ``minuteQuota`` a minute.
    ///   - key: The API key; accounts with the same key draw on the same quota.
    ///   - dailyQuota: How many the key is good for on a UTC day.
    ///   - time: Now; not before the time of an earlier call.
    /// - Returns: Whether there is one; a refused one is not counted.
    public mutating func grantsAttestation(
        of device: PhysicalDevice, key: String, dailyQuota: Int, at time: Instant
    ) -> Bool {
        if time.minuteNumber != minute {
            minute = time.minuteNumber
            inMinute.removeAll(keepingCapacity: true)
        }
        var use = days[key] ?? Use(day: time.dayNumber, count: 0)
        if use.day != time.dayNumber { use = Use(day: time.dayNumber, count: 0) }
        guard use.count < dailyQuota, inMinute[device, default: 0] < Self.minuteQuota else { return false }
        use.count += 1
        days[key] = use
        inMinute[device, default: 0] += 1
        return true
    }
}
