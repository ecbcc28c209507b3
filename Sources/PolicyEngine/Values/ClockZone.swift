/// A clock by which times are read and printed: one that is always the same time ahead of UTC, such as that of British
/// Summer Time.
package struct ClockZone: Hashable, Sendable {
    /// The text that is written behind a time: a name such as `BST`, or `+01:00`.
    package let name: String
    // Seconds ahead of UTC, where they are always the same.
    private let offset: Int
    // The offsets of a zone with summer time; their abbreviations are written in place of the name.
    private var rules: ZoneRules?

    /// The clock of UTC.
    package static let utc = ClockZone(name: "UTC", offset: 0)

    /// Hours ahead of UTC by name; `BST` is British Summer Time.
    package static let hoursByName: [(name: StaticString, hours: Int)] = [
        ("UTC", 0), ("GMT", 0), ("Z", 0), ("BST", 1), ("CET", 1), ("CEST", 2), ("EST", -5), ("EDT", -4), ("CST", -6),
        ("CDT", -5), ("MST", -7), ("MDT", -6), ("PST", -8), ("PDT", -7), ("JST", 9),
    ]

    private init(name: String, offset: Int) { (self.name, self.offset) = (name, offset) }

    /// Makes the clock of a zone of the system, such as `Europe/London`.
    package init(name: String, rules: ZoneRules) {
        self.init(name: name, offset: 0)
        self.rules = rules
    }

    /// Reads a name that is known, or `±hh:mm`.
    ///
    /// - Returns: `nil` for another text.
    package init?(_ text: String) {
        if let known = Self.hoursByName.first(where: { "\($0.name)" == text }) {
            self.init(name: text, offset: known.hours * 3600)
        } else if let offset = Self.offset(text) {
            self.init(name: text, offset: offset)
        } else {
            return nil
        }
    }

    /// Reads `±hh:mm`.
    ///
    /// - Returns: Seconds ahead of UTC, or `nil` when the form is another.
    package static func offset(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var cursor = DigitCursor(over: 0..<bytes.count)
        guard let offset = cursor.offset(in: bytes.span), cursor.isAtEnd else { return nil }
        return offset
    }

    /// Date and time as the clock shows them: `2020-07-23 12:10:43`.
    package func text(of instant: Instant) -> String {
        (instant + (rules?.period(at: instant).offset ?? offset)).dateAndTime
    }

    /// The same with the clock's name behind it: `2020-07-23 12:10:43 BST`.
    package func fullText(of instant: Instant) -> String {
        "\(text(of: instant)) \(rules?.period(at: instant).abbreviation ?? name)"
    }
}
