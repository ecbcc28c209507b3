/// Why a text is not a duration.
package enum DurationError: Error, Hashable, Sendable {
    /// It does not consist of numbers with units.
    case malformed
    /// A number has no unit behind it.
    case missingUnit(number: String)
    /// A unit is none of `y`, `d`, `h`, `m`, `s`.
    case unknownUnit(String)
    /// A unit stands twice, or behind a smaller one.
    case unitOutOfOrder(String)
    /// It is longer than `DocumentLimits.maximumDuration`.
    case tooLong

    /// What might help; `nil` where the message says all.
    package var hint: String? {
        switch self {
        case .malformed: nil
        case .missingUnit(let number): "give \(number.quoted) a unit: \("\(number)s".quoted)"
        case .unknownUnit(let unit): "\(unit.quoted) is no unit; the units are `y`, `d`, `h`, `m` and `s`"
        case .unitOutOfOrder(let unit):
            "\(unit.quoted) is out of order; each unit stands once, the largest first: `y`, `d`, `h`, `m`, `s`"
        case .tooLong: "100 years are the most"
        }
    }
}
