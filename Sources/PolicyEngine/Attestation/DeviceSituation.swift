/// What is known of a device before an attestation of a capture: with the attestation, all that a decision depends on.
///
/// Whoever keeps situations beside an engine can ask it about many courses of a device without a memory for each.
package struct DeviceSituation: Hashable, Sendable {
    /// Whether the device attested before.
    package var isKnown: Bool
    /// Whether a ban was persisted (R6.3).
    package var isBanned: Bool
    /// Whether an unban was persisted (R6.4).
    package var isUnbanned: Bool
    /// Whether the device is sampled on the day of the attestation (R7.6).
    package var isSampled: Bool

    package init(isKnown: Bool, isBanned: Bool, isUnbanned: Bool, isSampled: Bool) {
        (self.isKnown, self.isBanned, self.isUnbanned) = (isKnown, isBanned, isUnbanned)
        self.isSampled = isSampled
    }
}

extension Engine {
    /// Evaluates an attestation of a capture as if its device were in a situation, whatever it did before.
    ///
    /// - Parameters:
    ///   - attestation: What was observed, attributes aside.
    ///   - matches: The result of matching its attributes.
    ///   - situation: What is known of the device; becomes what is known of it afterwards.
    ///   - symbols: The numbering of its device and flags.
    package mutating func attest(
        _ attestation: borrowing Attestation, matches: AttributeMatches, in situation: inout DeviceSituation,
        symbols: borrowing SymbolTable
    ) -> Decision {
        var course = begin(attestation, in: situation)
        var recorder = SilentRecorder()
        let decision = attest(
            attestation, course: &course, matches: matches, symbols: symbols, recorder: &recorder)
        situation.isKnown = true
        situation.isBanned = course.state.persisted.contains(.deviceBan)
        situation.isUnbanned = course.state.persisted.contains(.deviceUnban)
        return decision
    }

    // What the account says of the device stays.
    private mutating func begin(_ attestation: borrowing Attestation, in situation: DeviceSituation) -> Course {
        var state = begin(attestation).state
        state.clear()
        state.isKnown = situation.isKnown
        if situation.isBanned { state.persist(.deviceBan) }
        if situation.isUnbanned { state.persist(.deviceUnban) }
        state.isSampled = situation.isSampled
        state.sampledDay = Int32(truncatingIfNeeded: attestation.time.dayNumber)
        return Course(of: attestation.flags, in: state)
    }
}

/// Finds out which devices an account samples (R7.6), for whoever keeps situations of devices.
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

    /// Whether a device is sampled.
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
