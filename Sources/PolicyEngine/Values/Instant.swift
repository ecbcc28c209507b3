/// A moment in UTC, to the second (R1.4).
///
/// The engine never reads a clock: every instant comes from its caller.
public struct Instant: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before it.
    public var secondsSinceEpoch: Int

    /// Makes an instant from a count of seconds.
    ///
    /// - Parameter secondsSinceEpoch: Seconds since 1970-01-01T00:00:00Z; may be negative.
    public init(secondsSinceEpoch: Int) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// The length of a day in seconds; UTC here has no leap seconds.
    public static let secondsPerDay = 86_400

    /// Days since 1970-01-01, rounded down.
    public var dayNumber: Int { secondsSinceEpoch.flooredQuotient(by: Self.secondsPerDay) }

    /// Minutes since 1970-01-01T00:00:00Z, rounded down.
    package var minuteNumber: Int { secondsSinceEpoch.flooredQuotient(by: 60) }

    /// Hours since 1970-01-01T00:00:00Z, rounded down.
    package var hourNumber: Int { secondsSinceEpoch.flooredQuotient(by: 3600) }

    /// The calendar day in UTC.
    package var date: CalendarDate { CalendarDate(dayNumber: dayNumber) }

    /// True if the left instant is the earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.secondsSinceEpoch < right.secondsSinceEpoch
    }

    /// The instant that many seconds later.
    public static func + (instant: Instant, seconds: Int) -> Instant {
        Instant(secondsSinceEpoch: instant.secondsSinceEpoch + seconds)
    }

    /// The seconds from `right` to `left`.
    public static func - (left: Instant, right: Instant) -> Int {
        left.secondsSinceEpoch - right.secondsSinceEpoch
    }
}

extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC: `2020-07-23T11:10:43Z`.
    public var description: String {
        let second = secondsSinceEpoch - dayNumber * Self.secondsPerDay
        let time = [second / 3600, second / 60 % 60, second % 60].map { $0.zeroPadded(to: 2) }
        return "\(date)T\(time.joined(separator: ":"))Z"
    }
}

extension Instant {
    /// Reads an RFC 3339 timestamp such as `2020-07-23T12:10:43+01:00`; a fraction of a second is cut off.
    ///
    /// - Parameter text: The whole timestamp. `T` may be lower case or a space, `Z` may be lower case.
    /// - Returns: `nil` when it is not one, or names a day or an hour that does not exist.
    public init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        self.init(rfc3339: bytes.span, range: 0..<bytes.count)
    }

    /// Reads an RFC 3339 timestamp from bytes; allocates nothing.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that hold it.
    ///   - range: The whole timestamp and nothing else.
    /// - Returns: `nil` when it is not one.
    package init?(rfc3339 bytes: Span<UInt8>, range: Range<Int>) {
        var cursor = DigitCursor(over: range)
        guard let local = LocalTime(at: &cursor, in: bytes) else { return nil }
        if cursor.skip(UInt8(ascii: "."), in: bytes) {
            guard cursor.skipDigits(in: bytes) > 0 else { return nil }
        }
        guard let offset = cursor.offset(in: bytes), cursor.isAtEnd else { return nil }
        self = local.instant(offset: offset)
    }

    /// Date and time in UTC without the zone, as the service's tool prints them: `2020-07-23 11:10:43`.
    package var dateAndTime: String {
        let text = description
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    }
}
