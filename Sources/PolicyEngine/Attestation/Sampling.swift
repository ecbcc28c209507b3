/// Which devices the sampling percentage selects on a day (R7.6).
enum Sampling {
    /// The number that decides on a device for one UTC day: the first eight bytes, big-endian, of SHA-256 over
    /// `<device-id>|<YYYY-MM-DD>|<account>`.
    static func draw(device: DeviceID, day: CalendarDate, account: String) -> UInt64 {
        let digest = Cryptography.sha256(of: Array("\(device)|\(day)|\(account)".utf8))
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Engine {
    /// Whether the device of an attestation is sampled on its day; worked out once for each device and day (R7.6).
    ///
    /// - Parameter state: What is remembered of the device; takes the answer.
    // It changes nothing of the engine; a call of what changes nothing would copy all of it.
    mutating func isSampled(
        _ attestation: borrowing Attestation, state: inout DeviceState, symbols: borrowing SymbolTable
    ) -> Bool {
        let percentage = compiled[current].samplingPercentage
        guard percentage > .zero else { return false }
        let day = Int32(truncatingIfNeeded: attestation.time.dayNumber)
        if state.sampledDay != day {
            let draw = Sampling.draw(
                device: symbols.devices[attestation.device],
                day: attestation.time.date,
                account: compiled[current].name
            )
            state.isSampled = percentage.contains(draw)
            state.sampledDay = day
        }
        return state.isSampled
    }
}
