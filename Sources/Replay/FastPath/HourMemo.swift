internal import PolicyEngine

/// Reads timestamps of the hour that was read before, which most are: all but minutes and seconds was understood then.
struct HourMemo {
    // `YYYY-MM-DD hh` as two words that overlap, and the bytes behind the seconds.
    private var head: UInt64 = 0
    private var tail: UInt64 = 0
    private var zone: UInt64 = 0
    // The length of a whole timestamp; 0 while none is known.
    private var length = 0
    // Seconds since 1970 at the start of the hour.
    private var start = 0

    /// `YYYY-MM-DD hh:mm:ss`.
    private static var clockLength: Int { 19 }
    private static var zoneLimit: Int { 8 }

    /// The instant that a timestamp says, if its hour and its zone are those that were noted.
    ///
    /// - Parameters:
    ///   - range: The whole timestamp.
    ///   - bytes: The memory; eight bytes behind the timestamp are readable.
    @inline(__always)
    func instant(_ range: Range<Int>, in bytes: Span<UInt8>) -> Instant? {
        guard range.count == length, bytes.word(at: range.lowerBound) == head,
            bytes.word(at: range.lowerBound + 5) == tail,
            Self.zone(of: range, in: bytes) == zone,
            let seconds = Self.secondsOfHour(range, in: bytes)
        else { return nil }
        return Instant(secondsSinceEpoch: start &+ seconds)
    }

    /// Notes the hour and the zone of a timestamp.
    ///
    /// - Parameter instant: The instant that it says.
    mutating func note(_ range: Range<Int>, in bytes: Span<UInt8>, instant: Instant) {
        guard Self.clockLength...Self.clockLength + Self.zoneLimit ~= range.count,
            let seconds = Self.secondsOfHour(range, in: bytes)
        else { return }
        (head, tail) = (bytes.word(at: range.lowerBound), bytes.word(at: range.lowerBound + 5))
        zone = Self.zone(of: range, in: bytes)
        length = range.count
        start = instant.secondsSinceEpoch - seconds
    }

    @inline(__always)
    private static func zone(of range: Range<Int>, in bytes: Span<UInt8>) -> UInt64 {
        let count = range.count &- clockLength
        let word = bytes.word(at: range.lowerBound &+ clockLength)
        return count >= zoneLimit ? word : word & (1 << UInt64(8 &* count) &- 1)
    }

    // `:mm:ss` behind the hour.
    @inline(__always)
    private static func secondsOfHour(_ range: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        let colon = UInt64(UInt8(ascii: ":"))
        let word = bytes.word(at: range.lowerBound &+ 11) >> 16
        guard word & 0xFF == colon, word >> 24 & 0xFF == colon else { return nil }
        let (tens, ones) = (word >> 8 & 0xFF &- 48, word >> 16 & 0xFF &- 48)
        let (tensOfSecond, onesOfSecond) = (word >> 32 & 0xFF &- 48, word >> 40 & 0xFF &- 48)
        guard tens < 6, ones < 10, tensOfSecond < 6, onesOfSecond < 10 else { return nil }
        return Int(truncatingIfNeeded: tens &* 600 &+ ones &* 60 &+ tensOfSecond &* 10 &+ onesOfSecond)
    }
}
