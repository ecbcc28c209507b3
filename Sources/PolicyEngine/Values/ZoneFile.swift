/// Reads a file of the system's time zones (RFC 9636, version 2 or later).
package enum ZoneFile {
    // The rule at the end of a file counts up to this year.
    private static let lastYear = 2400

    /// The rules of a file; `nil` for anything that is not one.
    package static func rules(_ bytes: [UInt8]) -> ZoneRules? {
        var reader = Reader(bytes: bytes)
        // The first block has times of four bytes, for readers of old.
        guard let first = reader.header(), reader.skip(first.bytes(timeBytes: 4)), let counts = reader.header(),
            counts.types > 0, let starts = reader.numbers(counts.times, bytes: 8),
            let kinds = reader.numbers(counts.times, bytes: 1), let types = reader.types(counts),
            reader.skip(counts.leaps * 12 + counts.standard + counts.universal), let rule = reader.footer(),
            kinds.allSatisfy({ (0..<counts.types).contains($0) }), zip(starts, starts.dropFirst()).allSatisfy(<)
        else { return nil }
        var periods = [ZoneRules.Period(start: .min, offset: types[0].offset, abbreviation: types[0].name)]
        for (start, kind) in zip(starts, kinds) {
            periods.append(.init(start: start, offset: types[kind].offset, abbreviation: types[kind].name))
        }
        guard !rule.isEmpty else { return ZoneRules(periods) }
        guard let rule = ZoneYear(rule) else { return nil }
        let last = starts.last ?? .min
        return ZoneRules(
            periods + rule.periods(from: firstYear(behind: last), through: lastYear).filter { $0.start > last })
    }

    private static func firstYear(behind second: Int) -> Int {
        let day = second == .min ? 0 : second / Instant.secondsPerDay
        return CalendarDate(dayNumber: day).year
    }

    private struct Counts {
        let universal, standard, leaps, times, types, characters: Int

        func bytes(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + standard + universal
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        mutating func skip(_ count: Int) -> Bool {
            guard count >= 0, count <= bytes.count - position else { return false }
            position += count
            return true
        }

        // Signed numbers, the most significant byte first; single bytes have no sign.
        mutating func numbers(_ count: Int, bytes size: Int) -> [Int]? {
            guard count >= 0, count <= (bytes.count - position) / size else { return nil }
            defer { position += count * size }
            return (0..<count).map { number in
                let part = bytes[position + number * size..<position + (number + 1) * size]
                let value = part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                return size == 8
                    ? Int(truncatingIfNeeded: value) : size == 4 ? Int(Int32(truncatingIfNeeded: value)) : Int(value)
            }
        }

        mutating func header() -> Counts? {
            guard bytes.dropFirst(position).starts(with: "TZif".utf8), bytes.count > position + 4,
                bytes[position + 4] >= UInt8(ascii: "2"), skip(20), let counts = numbers(6, bytes: 4),
                counts.allSatisfy({ (0...100_000).contains($0) })
            else { return nil }
            return Counts(
                universal: counts[0], standard: counts[1], leaps: counts[2], times: counts[3], types: counts[4],
                characters: counts[5])
        }

        mutating func types(_ counts: Counts) -> [(offset: Int, name: String)]? {
            var types: [(offset: Int, name: Int)] = []
            for _ in 0..<counts.types {
                guard let offset = numbers(1, bytes: 4), let rest = numbers(2, bytes: 1) else { return nil }
                types.append((offset[0], rest[1]))
            }
            let start = position
            guard skip(counts.characters), types.allSatisfy({ $0.name < counts.characters && abs($0.offset) < 172_800 })
            else { return nil }
            let characters = bytes[start..<position]
            return types.map { type in
                (type.offset, String(decoding: characters.dropFirst(type.name).prefix { $0 != 0 }, as: UTF8.self))
            }
        }

        // The rule between two line breaks at the end.
        mutating func footer() -> String? {
            let rest = bytes[position...]
            guard rest.first == UInt8(ascii: "\n"), let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\n")) else {
                return nil
            }
            return String(decoding: rest.dropFirst()[..<end], as: UTF8.self)
        }
    }
}

/// The offsets of a year that is like each other year: `GMT0BST,M3.5.0/1,M10.5.0` (POSIX, `TZ`).
private struct ZoneYear {
    private let standard: Side
    private var summer: (side: Side, start: Day, end: Day)?

    private struct Side {
        let name: String
        let offset: Int
    }

    // A weekday of a month, and seconds from its midnight on.
    private struct Day {
        let month, week, weekday, second: Int

        // Seconds since 1970 as the clocks show them before the change.
        func second(ofYear year: Int) -> Int? {
            guard let first = CalendarDate(year: year, month: month, day: 1),
                let next = month == 12
                    ? CalendarDate(year: year + 1, month: 1, day: 1)
                    : CalendarDate(year: year, month: month + 1, day: 1)
            else { return nil }
            // 1970-01-01 was a Thursday.
            let firstWeekday = (first.dayNumber % 7 + 7 + 4) % 7
            var day = first.dayNumber + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            if day >= next.dayNumber { day -= 7 }
            return day * Instant.secondsPerDay + second
        }
    }

    init?(_ text: String) {
        var rest = Substring(text)
        guard let name = Self.name(&rest), let offset = Self.time(&rest) else { return nil }
        standard = Side(name: name, offset: -offset)
        guard !rest.isEmpty else { return }
        guard let name = Self.name(&rest) else { return nil }
        // Summer time is an hour ahead, unless it says otherwise.
        let other = rest.hasPrefix(",") ? offset - 3600 : Self.time(&rest)
        guard let other, let start = Self.day(&rest), let end = Self.day(&rest), rest.isEmpty else { return nil }
        summer = (Side(name: name, offset: -other), start, end)
    }

    func periods(from first: Int, through last: Int) -> [ZoneRules.Period] {
        guard let summer, first <= last else { return [] }
        let periods = (first...last).flatMap { year -> [ZoneRules.Period] in
            guard let start = summer.start.second(ofYear: year), let end = summer.end.second(ofYear: year) else {
                return []
            }
            return [
                .init(
                    start: start - standard.offset, offset: summer.side.offset, abbreviation: summer.side.name),
                .init(start: end - summer.side.offset, offset: standard.offset, abbreviation: standard.name),
            ]
        }
        return periods.sorted { $0.start < $1.start }
    }

    private static func name(_ rest: inout Substring) -> String? {
        let isQuoted = rest.hasPrefix("<")
        if isQuoted { rest = rest.dropFirst() }
        let name = rest.prefix { isQuoted ? $0 != ">" : $0.isLetter }
        rest = rest.dropFirst(name.count + (isQuoted ? 1 : 0))
        return name.isEmpty ? nil : String(name)
    }

    // `[+-]hh[:mm[:ss]]` in seconds.
    private static func time(_ rest: inout Substring) -> Int? {
        let sign = rest.hasPrefix("-") ? -1 : 1
        if rest.hasPrefix("-") || rest.hasPrefix("+") { rest = rest.dropFirst() }
        var (seconds, unit) = (0, 3600)
        while unit > 0 {
            guard let number = number(&rest) else { return nil }
            seconds += number * unit
            unit /= 60
            guard rest.hasPrefix(":") else { break }
            rest = rest.dropFirst()
        }
        return sign * seconds
    }

    private static func number(_ rest: inout Substring) -> Int? {
        let digits = rest.prefix { "0"..."9" ~= $0 }
        rest = rest.dropFirst(digits.count)
        return digits.count <= 3 ? Int(digits) : nil
    }

    // `,Mm.w.d[/time]`; the time is two o'clock unless it is given.
    private static func day(_ rest: inout Substring) -> Day? {
        guard rest.hasPrefix(",M") else { return nil }
        rest = rest.dropFirst(2)
        guard let month = number(&rest), 1...12 ~= month, rest.popFirst() == ".", let week = number(&rest),
            1...5 ~= week,
            rest.popFirst() == ".", let weekday = number(&rest), 0...6 ~= weekday
        else { return nil }
        guard rest.hasPrefix("/") else { return Day(month: month, week: week, weekday: weekday, second: 7200) }
        rest = rest.dropFirst()
        return time(&rest).map { Day(month: month, week: week, weekday: weekday, second: $0) }
    }
}
