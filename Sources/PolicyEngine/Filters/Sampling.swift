internal import CCrypto

/// Which devices the sampling percentage selects on a day (R7.6).
enum Sampling {
    /// The number that decides on a device for one UTC day: the first eight bytes, big-endian, of SHA-256 over
    /// `<device-id>|<YYYY-MM-DD>|<account>`.
    static func draw(device: DeviceID, day: CalendarDate, account: String) -> UInt64 {
        sha256Prefix(of: "\(device)|\(day)|\(account)")
    }

    private static func sha256Prefix(of text: String) -> UInt64 {
        let message = Array(text.utf8)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        unsafe message.withUnsafeBufferPointer { bytes in
            unsafe digest.withUnsafeMutableBufferPointer { output in
                // SAFETY: OpenSSL reads `count` bytes of the first and writes the 32 that the second has room for.
                _ = unsafe SHA256(bytes.baseAddress, bytes.count, output.baseAddress)
            }
        }
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
