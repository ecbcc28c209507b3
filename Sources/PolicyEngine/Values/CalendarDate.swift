/// A day of the proleptic Gregorian calendar.
package struct CalendarDate: Hashable, Sendable, CustomStringConvertible {
    /// The year; dates that were read lie in 1 through 9999.
    package let year: Int
    /// 1 through 12.
    package let month: Int
    /// 1 through the length of the month.
    package let day: Int

    /// Makes a date that exists.
    ///
    /// - Parameters:
    ///   - year: 1 through 9999.
    ///   - month: 1 through 12.
    ///   - day: 1 through the length of that month.
    /// - Returns: `nil` when there is no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...Self.length(ofMonth: month, year: year) ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Makes the date that lies a number of days after 1970-01-01.
    ///
    /// - Parameter dayNumber: Days since 1970-01-01; may be negative.
    package init(dayNumber: Int) {
        // Years are counted from 1 March, so that a leap day is the last of its year.
        let shifted = dayNumber + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    package var dayNumber: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(by: 400)
        let yearOfEra = marchYear - era * 400
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// `YYYY-MM-DD`.
    package var description: String {
        "\(year.zeroPadded(to: 4))-\(month.zeroPadded(to: 2))-\(day.zeroPadded(to: 2))"
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int {
    /// The quotient rounded towards negative infinity, as calendars need it.
    ///
    /// - Parameter divisor: 1 or more.
    func flooredQuotient(by divisor: Int) -> Int {
        self % divisor < 0 ? self / divisor - 1 : self / divisor
    }

    /// The decimal digits, with zeros in front up to a width.
    package func zeroPadded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
