package import PolicyEngine

/// A time of a text capture: `YYYY-MM-DD hh:mm:ss ZZZ`.
enum Timestamp {
    case instant(Instant)
    case malformed(message: String, hint: String?)

    /// The instant, where it is one.
    var instant: Instant? {
        if case .instant(let instant) = self { instant } else { nil }
    }

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
        guard let offset = zones.offset(of: bytes, range: zone, at: local) else {
            let name = bytes.text(zone)
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
        let text = bytes.text(range)
        return .malformed(
            message: "`\(text)` is not a time `YYYY-MM-DD hh:mm:ss ZZZ`", hint: leapSecondHint(text) ?? hint)
    }

    fileprivate static func leapSecondHint(_ text: String) -> String? {
        text.dropFirst("2016-12-31T23".count).hasPrefix(":59:60")
            ? "a leap second is not counted since 1970; write the second after it" : nil
    }
}

/// A time of a record in JSON or in columns: of RFC 3339, a number since 1970 (``Instant/init(epoch:)``), or a time without a zone
/// where the zones have one for it.
enum RecordTime {
    /// Reads a time; `nil` for any other text.
    static func instant(_ range: Range<Int>, in bytes: Span<UInt8>, zones: TimeZones) -> Instant? {
        if let instant = Instant(rfc3339: bytes, range: range) { return instant }
        if let instant = Instant(epoch: bytes.text(range)) { return instant }
        guard zones.fallback != nil || zones.hasRules else { return nil }
        var cursor = DigitCursor(over: range)
        guard let local = LocalTime(at: &cursor, in: bytes), isFraction(cursor.position..<range.upperBound, in: bytes)
        else { return nil }
        return zones.offset(of: bytes, range: range.upperBound..<range.upperBound, at: local).map {
            local.instant(offset: $0)
        }
    }

    /// Advice on a text that is no time.
    static func hint(on text: String) -> String {
        let bytes = Array(text.utf8)
        var cursor = DigitCursor(over: 0..<bytes.count)
        let isLocal =
            LocalTime(at: &cursor, in: bytes.span) != nil && isFraction(cursor.position..<bytes.count, in: bytes.span)
        if isLocal { return "it has no time zone; give its offset from UTC with --timezone ±hh:mm" }
        return Timestamp.leapSecondHint(text) ?? "such as 2020-07-23T11:10:43Z, or a number of seconds since 1970"
    }

    // True for nothing, and for a fraction of a second, which is cut off.
    private static func isFraction(_ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard !range.isEmpty else { return true }
        return range.count > 1 && bytes[range.lowerBound] == UInt8(ascii: ".")
            && range.dropFirst().allSatisfy { bytes[$0].isDigit }
    }
}

/// The time zones that captures may name (formats: Captures).
package struct TimeZones: Sendable {
    /// Seconds ahead of UTC for a zone that is not known, or not given.
    package let fallback: Int?
    // The offsets of a zone with summer time, in place of the fallback.
    private let rules: ZoneRules?

    /// Makes the zones.
    ///
    /// - Parameter fallback: Seconds ahead of UTC for zones that have no known name.
    package init(fallback: Int? = nil) {
        (self.fallback, rules) = (fallback, nil)
    }

    /// Makes the zones of somebody in a zone of the system: its own abbreviations mean what they mean there, and those that
    /// have no known name have its offsets.
    package init(rules: ZoneRules) {
        (fallback, self.rules) = (nil, rules)
    }

    /// True if summer time decides on the offset of zones that have no known name.
    package var hasRules: Bool { rules != nil }

    /// The offset of a zone.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that hold its name.
    ///   - range: The whole name, or `±hh:mm`; empty when none was given.
    ///   - local: The time before it.
    /// - Returns: Seconds ahead of UTC; `nil` when it is not known and there is no fallback, or it cannot be a zone.
    func offset(of bytes: Span<UInt8>, range: Range<Int>, at local: LocalTime) -> Int? {
        let name = bytes.extracting(range)
        if let own = rules?.offset(of: local, ownAbbreviation: bytes.text(range)) { return own }
        for zone in ClockZone.hoursByName
        where zone.name.utf8CodeUnitCount == range.count && name.begins(with: zone.name) {
            return zone.hours * 3600
        }
        var cursor = DigitCursor(over: range)
        if let offset = cursor.offset(in: bytes), cursor.isAtEnd { return offset }
        guard Self.isName(name) else { return nil }
        return rules?.offset(of: local, abbreviation: bytes.text(range)) ?? fallback
    }

    /// True if some bytes could be the name of a zone, or no name at all: a fallback helps these, the rest is a mistake.
    static func isName(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !bytes[index].isLetter { return false }
        return true
    }
}
