/// A month of the calendar, such as `2018-03`.
package struct CalendarMonth: Hashable, Comparable, Sendable, CustomStringConvertible {
    // Months since January of the year 0.
    private let number: Int

    /// Makes a month.
    ///
    /// - Parameters:
    ///   - year: 1 through 9999.
    ///   - month: 1 through 12.
    /// - Returns: `nil` when there is no such month.
    package init?(year: Int, month: Int) {
        guard 1...9999 ~= year, 1...12 ~= month else { return nil }
        number = year * 12 + month - 1
    }

    /// Reads a month.
    ///
    /// - Parameter text: `YYYY-MM`.
    /// - Returns: `nil` when the text has another form, or there is no such month.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
            text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") }),
            let year = Int(parts[0]), let month = Int(parts[1])
        else { return nil }
        self.init(year: year, month: month)
    }

    /// The month that an instant lies in, in UTC.
    package init(of instant: Instant) {
        let date = instant.date
        number = date.year * 12 + date.month - 1
    }

    /// The number of months by which `other` is later; negative when it is earlier.
    package func months(until other: CalendarMonth) -> Int { other.number - number }

    /// True if the left month is the earlier.
    package static func < (left: CalendarMonth, right: CalendarMonth) -> Bool { left.number < right.number }

    /// `YYYY-MM`.
    package var description: String {
        "\((number / 12).zeroPadded(to: 4))-\((number % 12 + 1).zeroPadded(to: 2))"
    }
}
