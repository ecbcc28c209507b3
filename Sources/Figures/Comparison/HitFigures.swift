package import Statistics

/// The groups of devices that a change newly rejects more often than the others.
package struct HitFigures: Hashable, Sendable {
    /// The keys whose values were combined, as they were typed.
    package var keys: [String]
    /// The most values of a combination.
    package var order: Int
    /// The number of combinations that were tried.
    package var tried = 0
    /// The least number of newly rejected devices of a reported combination.
    package var support = 0
    /// The devices of which it is known what the change does to them, and the newly rejected ones among them.
    package var devices = 0
    package var rejected = 0
    /// The combinations; each explains most of what those before it leave.
    package var hits: [Hit] = []
    /// The level of the intervals.
    package var level: ConfidenceLevel

    package init(keys: [String], order: Int, at level: ConfidenceLevel = .usual) {
        (self.keys, self.order, self.level) = (keys, order, level)
    }

    /// A combination of values.
    package struct Hit: Hashable, Sendable {
        package var terms: [Term]
        /// The devices that showed all of the values, and the newly rejected ones among them.
        package var devices: Int
        package var rejected: Int
        /// The newly rejected ones that no combination before this one has.
        package var more: Int
        /// The share of newly rejected devices, divided by that of the devices without the combination, of those that no
        /// combination before this one has; ∞ if none of the others is newly rejected.
        package var ratio: Double
        /// The interval of the ratio at the level of selected ones, the upper end ∞ where there is none.
        package var interval: ConfidenceInterval
        /// The p-value, adjusted for all combinations that were tried.
        package var pValue: Double

        package init(
            terms: [Term], devices: Int, rejected: Int, more: Int, ratio: Double,
            interval: ConfidenceInterval, pValue: Double
        ) {
            (self.terms, self.devices, self.rejected, self.more) = (terms, devices, rejected, more)
            (self.ratio, self.interval, self.pValue) = (ratio, interval, pValue)
        }

        /// The condition that selects such devices, in the words of a search: `app-version=5.1 and flag:rooted`.
        package var condition: String { terms.map(\.condition).joined(separator: " and ") }
    }

    /// A value of a key.
    package struct Term: Hashable, Sendable {
        package var key: String
        package var value: String

        package init(key: String, value: String) { (self.key, self.value) = (key, value) }

        /// The condition for it: `app-version=5.1`, or `flag:rooted`.
        package var condition: String {
            switch key {
            case "flags": return "flag:\(value)"
            case "verdict": return "verdict:\(value)"
            default:
                let isPlain = value.utf8.allSatisfy { $0 > 0x20 && !#""()"#.utf8.contains($0) }
                return isPlain && !value.isEmpty ? "\(key)=\(value)" : "\(key)=\"\(value)\""
            }
        }
    }
}
