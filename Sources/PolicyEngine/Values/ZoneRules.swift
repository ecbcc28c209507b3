/// The offsets of a time zone from UTC, and when they change.
package struct ZoneRules: Hashable, Sendable {
    /// A time in which the offset stays the same.
    struct Period: Hashable, Sendable {
        /// The first second of it since 1970, in UTC; `Int.min` for the first period.
        let start: Int
        /// Seconds ahead of UTC.
        let offset: Int
        /// The text that clocks show for it: `BST`.
        let abbreviation: String
    }

    // In the order of time; never empty.
    private let periods: [Period]

    /// - Parameter periods: At least one, in the order of time.
    init(_ periods: [Period]) { self.periods = periods }

    /// Seconds ahead of UTC, and the text that clocks show for it.
    ///
    /// - Complexity: O(log changes).
    func period(at instant: Instant) -> (offset: Int, abbreviation: String) {
        let period = periods[index { periods[$0].start <= instant.secondsSinceEpoch }]
        return (period.offset, period.abbreviation)
    }

    /// Seconds ahead of UTC for a time that somebody's clock shows.
    ///
    /// A time that occurs twice, and one that a change leaves out, has the offset before the change, unless the abbreviation
    /// behind it is that of the offset after it.
    ///
    /// - Parameters:
    ///   - local: The time.
    ///   - abbreviation: The text behind the time; empty for none.
    package func offset(of local: LocalTime, abbreviation: String) -> Int {
        let shown = local.instant(offset: 0).secondsSinceEpoch
        // The last change that clocks show as past, on both of its sides; the next one may have begun.
        let index = index { position in
            position == 0
                || periods[position].start + max(periods[position].offset, periods[position - 1].offset) <= shown
        }
        let period = periods[index]
        guard index + 1 < periods.count else { return period.offset }
        let next = periods[index + 1]
        let hasBegun = next.start + min(period.offset, next.offset) <= shown
        return hasBegun && next.abbreviation == abbreviation ? next.offset : period.offset
    }

    // The last period that fulfils a condition which all periods before it fulfil, too.
    private func index(ofLast condition: (Int) -> Bool) -> Int {
        var (low, high) = (0, periods.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(middle) { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}
