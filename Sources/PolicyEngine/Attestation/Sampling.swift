/// Which devices the sampling percentage selects on a day (R7.6).
enum Sampling {
    /// The number that decides on a device for one UTC day: the first eight bytes, big-endian, of SHA-256 over
    /// `<device-id>|<YYYY-MM-DD>|<account>`.
    static func draw(device: DeviceID, day: CalendarDate, account: String) -> UInt64 {
        let digest = Cryptography.sha256(of: Array("\(device)|\(day)|\(account)".utf8))
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Finds out which devices an account samples (R7.6); works it out once for each device and day.
package struct DeviceSampling: Sendable {
    private let account: String
    private let percentage: Percentage
    // By device number: the day for which it was worked out last, and the answer.
    private var known: [(day: Int32, isSampled: Bool)] = []

    /// - Returns: `nil` for an account that samples nothing.
    package init?(_ account: Account) {
        guard account.samplingPercentage > .zero else { return nil }
        (self.account, percentage) = (account.name, account.samplingPercentage)
    }

    /// True if a device is sampled on the day of a time.
    ///
    /// - Parameters:
    ///   - device: Its number.
    ///   - time: A time on the day.
    ///   - devices: The numbering of devices.
    /// - Complexity: O(1) but for the first attestation of a device on a day.
    package mutating func isSampled(_ device: DeviceIndex, at time: Instant, devices: borrowing DeviceTable) -> Bool {
        let day = Int32(truncatingIfNeeded: time.dayNumber)
        if device.offset >= known.count {
            known.append(
                contentsOf: repeatElement((day: Int32.min, isSampled: false), count: device.offset + 1 - known.count))
        }
        if known[device.offset].day != day {
            let draw = Sampling.draw(device: devices[device], day: time.date, account: account)
            known[device.offset] = (day, percentage.contains(draw))
        }
        return known[device.offset].isSampled
    }
}
