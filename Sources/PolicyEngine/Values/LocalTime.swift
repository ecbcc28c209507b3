/// A date and a time of day as they stand on somebody's clock, before its offset from UTC is known.
public struct LocalTime: Hashable, Sendable {
    /// The calendar day.
    public let date: CalendarDate
    /// Seconds since midnight on that clock.
    public let secondOfDay: Int

    /// Reads `YYYY-MM-DD`, a space or `T`, `hh:mm:ss`, and leaves the cursor behind it.
    ///
    /// - Parameters:
    ///   - cursor: Where to read; moved even when reading fails.
    ///   - bytes: The bytes under the cursor.
    /// - Returns: `nil` when the form is another, or there is no such day or time.
    public init?(at cursor: inout DigitCursor, in bytes: Span<UInt8>) {
        guard let year = cursor.digits(4, in: bytes), cursor.skip(UInt8(ascii: "-"), in: bytes),
            let month = cursor.digits(2, in: bytes), cursor.skip(UInt8(ascii: "-"), in: bytes),
            let day = cursor.digits(2, in: bytes),
            let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }
        let isSeparated =
            cursor.skip(UInt8(ascii: " "), in: bytes)
            || cursor.skip(UInt8(ascii: "T"), in: bytes)
            || cursor.skip(UInt8(ascii: "t"), in: bytes)
        guard isSeparated,
            let hour = cursor.digits(2, in: bytes), hour < 24, cursor.skip(UInt8(ascii: ":"), in: bytes),
            let minute = cursor.digits(2, in: bytes), minute < 60, cursor.skip(UInt8(ascii: ":"), in: bytes),
            let second = cursor.digits(2, in: bytes), second < 60
        else { return nil }
        self.date = date
        secondOfDay = hour * 3600 + minute * 60 + second
    }

    /// The instant at which a clock showed this.
    ///
    /// - Parameter offset: Seconds by which that clock is ahead of UTC.
    public func instant(offset: Int) -> Instant {
        Instant(secondsSinceEpoch: date.dayNumber * Instant.secondsPerDay + secondOfDay - offset)
    }
}
