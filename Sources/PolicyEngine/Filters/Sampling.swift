/// Which devices the sampling percentage selects on a day (R7.6).
enum Sampling {
    /// The number that decides on a device for one UTC day: the first eight bytes, big-endian, of SHA-256 over
    /// `<device-id>|<YYYY-MM-DD>|<account>`.
    static func draw(device: DeviceID, day: CalendarDate, account: String) -> UInt64 {
        let digest = Cryptography.sha256(of: Array("\(device)|\(day)|\(account)".utf8))
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
