internal import Figures
internal import PolicyEngine

extension CalendarDate {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    // 1970-01-01 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// `Thu 23`.
    var weekdayAndDay: String { "\(weekday) \(day)" }

    /// `Thu`.
    fileprivate var weekday: String { Self.weekdays[((dayNumber % 7) + 7) % 7] }

    /// `Thu 23 Jul`.
    var weekdayAndDate: String { "\(weekdayAndDay) \(monthName.prefix(3))" }

    fileprivate var monthName: String { Self.months[month - 1] }
}

/// A time in UTC as people say it, to the minute.
enum ClockWords {
    /// `Tue 14:00`, or `Tue 3 Mar 14:00`.
    static func text(_ time: Instant, isDated: Bool) -> String {
        (isDated ? time.date.weekdayAndDate : time.date.weekday) + " " + hour(time)
    }

    /// `14:00`.
    static func hour(_ time: Instant) -> String { String(time.dateAndTime.dropLast(3).suffix(5)) }
}

/// A span of whole hours in UTC, in words.
enum SpanWords {
    /// `23 July 2020, 07–12 UTC`; of several days `20–26 July 2020`, `28 June – 3 July 2020`.
    ///
    /// - Parameters:
    ///   - first: The start of the first hour.
    ///   - last: The start of the last one.
    static func text(from first: Instant, to last: Instant) -> String {
        let (start, end) = (first.date, last.date)
        let close = "\(end.day) \(end.monthName) \(end.year)"
        if start == end { return "\(close), \(hour(first, 0))–\(hour(last, 1)) UTC" }
        if (start.year, start.month) == (end.year, end.month) { return "\(start.day)–\(close)" }
        let open = "\(start.day) \(start.monthName)" + (start.year == end.year ? "" : " \(start.year)")
        return "\(open) – \(close)"
    }

    private static func hour(_ instant: Instant, _ more: Int) -> String {
        let hour = instant.hourNumber - instant.dayNumber * 24 + more
        return hour < 10 ? "0\(hour)" : "\(hour)"
    }

    /// The span of what was attested on some sides; nothing where nothing was.
    static func scope(of hours: [Instant: VerdictCounts]...) -> [String] {
        let starts = hours.flatMap(\.keys)
        guard let first = starts.min(), let last = starts.max() else { return [] }
        return [text(from: first, to: last)]
    }
}
