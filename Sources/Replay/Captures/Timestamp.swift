internal import PolicyEngine

/// A time of a text capture: `YYYY-MM-DD hh:mm:ss ZZZ`.
enum Timestamp {
    case instant(Instant)
    case malformed(message: String, hint: String?)

    /// Reads one.
    ///
    /// - Parameter range: The whole timestamp.
    static func read(_ range: Range<Int>, in bytes: Span<UInt8>, zones: TimeZones) -> Timestamp {
        var cursor = DigitCursor(over: range)
        guard let local = LocalTime(at: &cursor, in: bytes) else { return noTime(range, in: bytes) }
        if cursor.skip(UInt8(ascii: "."), in: bytes) {
            return noTime(range, in: bytes, hint: "times are whole seconds, without a fraction")
        }
        _ = cursor.skip(UInt8(ascii: " "), in: bytes)
        let zone = cursor.position..<range.upperBound
        guard let offset = zones.offset(of: bytes, range: zone) else {
            let name = RecordFields.text(zone, in: bytes)
            return .malformed(
                message: name.isEmpty ? "time without a time zone" : "unknown time zone `\(name)`",
                hint: TimeZones.isName(bytes.extracting(zone))
                    ? "give its offset from UTC with --timezone ±hh:mm"
                    : "an offset from UTC is `±hh:mm`, such as +01:00"
            )
        }
        return .instant(local.instant(offset: offset))
    }

    private static func noTime(_ range: Range<Int>, in bytes: Span<UInt8>, hint: String? = nil) -> Timestamp {
        let text = RecordFields.text(range, in: bytes)
        return .malformed(message: "`\(text)` is not a time `YYYY-MM-DD hh:mm:ss ZZZ`", hint: hint)
    }
}
