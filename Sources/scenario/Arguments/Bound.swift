internal import PolicyEngine

/// The bound of a limit: a number, or a share of all.
enum Bound: Hashable, Sendable {
    case count(Int)
    case share(Percentage)

    /// The form of a bound, as the help shows it.
    enum Form: String, Hashable, Sendable {
        /// The greatest number, or the greatest share.
        case most = "N|P%"
        /// The least share.
        case least = "P%"
    }

    /// Reads `12`, `0` or `0.1%`.
    ///
    /// - Returns: `nil` for another form.
    init?(_ text: String, _ form: Form) {
        if text.hasSuffix("%") {
            guard let share = Percentage(text.dropLast()) else { return nil }
            self = .share(share)
        } else {
            guard form == .most, text.utf8.allSatisfy(\.isDigit), let count = Int(text) else { return nil }
            self = .count(count)
        }
    }
}
