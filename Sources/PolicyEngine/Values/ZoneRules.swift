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
    private let abbreviations: Set<String>

    /// - Parameter periods: At least one, in the order of time.
    init(_ periods: [Period]) {
        self.periods = periods
        abbreviations = Set(periods.map(\.abbreviation))
    }

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
        period(of: local, abbreviation: abbreviation).offset
    }

    /// Seconds ahead of UTC for a time with one of the zone's own abbreviations behind it; `nil` with any other.
    ///
    /// A time for which the zone has another abbreviation has the offset that this one had last, or will have first.
    package func offset(of local: LocalTime, ownAbbreviation: String) -> Int? {
        guard abbreviations.contains(ownAbbreviation) else { return nil }
        let period = period(of: local, abbreviation: ownAbbreviation)
        if period.abbreviation == ownAbbreviation { return period.offset }
        let own = periods.filter { $0.abbreviation == ownAbbreviation }
        return (own.last { $0.start <= period.start } ?? own.first)?.offset
    }

    private func period(of local: LocalTime, abbreviation: String) -> Period {
        let shown = local.instant(offset: 0).secondsSinceEpoch
        // The last change that clocks show as past, on both of its sides; the next one may have begun.
        let index = index { position in
            position == 0
                || periods[position].start + max(periods[position].offset, periods[position - 1].offset) <= shown
        }
        let period = periods[index]
        guard index + 1 < periods.count else { return period }
        let next = periods[index + 1]
        let hasBegun = next.start + min(period.offset, next.offset) <= shown
        return hasBegun && next.abbreviation == abbreviation ? next : period
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
