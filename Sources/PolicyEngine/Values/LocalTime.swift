/// A date and a time of day as somebody's clock shows them, before its offset from UTC is known.
package struct LocalTime: Hashable, Sendable {
    /// The calendar day.
    package let date: CalendarDate
    /// Seconds since midnight on that clock.
    package let secondOfDay: Int

    /// Makes a time of day.
    ///
    /// - Parameter seconds: Seconds since 1970 on that clock.
    package init(secondsSinceEpoch seconds: Int) {
        let instant = Instant(secondsSinceEpoch: seconds)
        (date, secondOfDay) = (instant.date, seconds - instant.dayNumber * Instant.secondsPerDay)
    }

    /// Reads `YYYY-MM-DD`, a space or `T`, `hh:mm:ss`, and leaves the cursor behind it.
    ///
    /// - Parameters:
    ///   - cursor: The position to read at; moved even when reading fails.
    ///   - bytes: The bytes under the cursor.
    /// - Returns: `nil` when the form is another, or there is no such day or time.
    package init?(at cursor: inout DigitCursor, in bytes: Span<UInt8>) {
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
    package func instant(offset: Int) -> Instant {
        Instant(secondsSinceEpoch: date.dayNumber * Instant.secondsPerDay + secondOfDay - offset)
    }
}

/// Walks over the digits and punctuation of a timestamp; the bytes stay with the caller.
package struct DigitCursor: Sendable {
    /// The offset of the next byte to read.
    package private(set) var position: Int
    /// The offset behind the last byte that may be read.
    package let end: Int

    /// Makes a cursor over a part of some bytes.
    ///
    /// - Parameter range: The part; every call must pass bytes that hold it.
    package init(over range: Range<Int>) {
        (position, end) = (range.lowerBound, range.upperBound)
    }

    /// True if every byte was read.
    package var isAtEnd: Bool { position == end }

    /// Reads exactly `count` digits.
    ///
    /// - Returns: Their value, or `nil` when another byte is among them.
    package mutating func digits(_ count: Int, in bytes: Span<UInt8>) -> Int? {
        guard position + count <= end else { return nil }
        var value = 0
        for offset in position..<position + count {
            guard bytes[offset].isDigit else { return nil }
            value = value * 10 + Int(bytes[offset] - UInt8(ascii: "0"))
        }
        position += count
        return value
    }

    /// Skips one given byte, if it is the next.
    package mutating func skip(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Skips any number of digits.
    ///
    /// - Returns: Their number.
    package mutating func skipDigits(in bytes: Span<UInt8>) -> Int {
        let start = position
        while position < end, bytes[position].isDigit { position += 1 }
        return position - start
    }

    /// Reads `Z`, `z` or `±hh:mm`.
    ///
    /// - Returns: Seconds ahead of UTC, below a day either way; `nil` when the form is another.
    package mutating func offset(in bytes: Span<UInt8>) -> Int? {
        if skip(UInt8(ascii: "Z"), in: bytes) || skip(UInt8(ascii: "z"), in: bytes) { return 0 }
        let isAhead = skip(UInt8(ascii: "+"), in: bytes)
        guard isAhead || skip(UInt8(ascii: "-"), in: bytes) else { return nil }
        guard let hours = digits(2, in: bytes), hours < 24,
            skip(UInt8(ascii: ":"), in: bytes),
            let minutes = digits(2, in: bytes), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isAhead ? 60 : -60)
    }
}
