internal import Columns
internal import PolicyEngine

/// Reads the times of records from a column.
struct ColumnTimes {
    private let zones: TimeZones
    private var hours = HourMemo()
    // The key that was read before, and its time.
    private var latest: (key: Int32, time: Instant?)?

    /// The years that a record can name, in seconds since 1970.
    private static let years = -62_135_596_800...253_402_300_799
    /// Bytes behind a text that are looked at, too.
    private static let padding = 8

    init(_ zones: TimeZones) { self.zones = zones }

    /// True if a time without a zone is none.
    var needsZone: Bool { !zones.hasRules && zones.fallback == nil }

    /// Reads the times of some rows.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - field: Its form.
    ///   - count: The number of rows.
    ///   - bytes: The memory of the values.
    ///   - times: Takes a time for each row; `nil` where there is none.
    mutating func read(
        _ column: Column, _ field: ColumnField, _ count: Int, _ bytes: Span<UInt8>, into times: inout [Instant?]
    ) {
        if times.count < count { times = Array(repeating: nil, count: count) }
        var all = times.mutableSpan
        if column.content == .numbers, case .time(let unit, let zone) = field.type {
            let (numbers, perSecond) = (column.numbers.span, unit.perSecond)
            for row in 0..<count { all[row] = time(numbers[row], perSecond, hasZone: zone != nil) }
        } else if let dictionary = column.dictionary {
            latest = nil
            for row in 0..<count { all[row] = time(column.keys[row], of: dictionary) }
        } else {
            for row in 0..<count { all[row] = time(column.values[row], bytes) }
        }
    }

    @inline(__always)
    private func time(_ number: Int64, _ perSecond: Int64, hasZone: Bool) -> Instant? {
        guard number != Column.absentNumber else { return nil }
        // By constants, for which nothing is divided.
        let seconds =
            switch perSecond {
            case 1: Int(number)
            case 1000: Self.quotient(number, 1000)
            case 1_000_000: Self.quotient(number, 1_000_000)
            default: Self.quotient(number, 1_000_000_000)
            }
        guard Self.years.contains(seconds) else { return nil }
        return hasZone ? Instant(secondsSinceEpoch: seconds) : localTime(seconds)
    }

    /// A quotient rounded down: so a fraction of a second is cut off, before 1970, too.
    @inline(__always)
    static func quotient(_ number: Int64, _ divisor: Int64) -> Int {
        let quotient = number / divisor
        return Int(number < quotient &* divisor ? quotient &- 1 : quotient)
    }

    private func localTime(_ seconds: Int) -> Instant? {
        if !zones.hasRules { return zones.fallback.map { Instant(secondsSinceEpoch: seconds - $0) } }
        let (local, none) = (LocalTime(secondsSinceEpoch: seconds), [UInt8]())
        return zones.offset(of: none.span, range: 0..<0, at: local).map { local.instant(offset: $0) }
    }

    private mutating func time(_ key: Int32, of dictionary: ColumnDictionary) -> Instant? {
        if let latest, latest.key == key { return latest.time }
        let bytes = dictionary.bytes
        let time = time(dictionary.values[Int(key)], bytes.span)
        latest = (key, time)
        return time
    }

    private mutating func time(_ value: ColumnValue, _ bytes: Span<UInt8>) -> Instant? {
        let range = value.range
        guard !range.isEmpty else { return nil }
        guard range.upperBound + Self.padding <= bytes.count else {
            return RecordTime.instant(range, in: bytes, zones: zones)
        }
        if let known = hours.instant(range, in: bytes) { return known }
        guard let time = Instant(rfc3339: bytes, range: range) else {
            return RecordTime.instant(range, in: bytes, zones: zones)
        }
        hours.note(range, in: bytes, instant: time)
        return time
    }
}
