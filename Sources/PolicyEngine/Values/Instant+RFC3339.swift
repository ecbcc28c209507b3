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
    public init?(rfc3339 bytes: Span<UInt8>, range: Range<Int>) {
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
