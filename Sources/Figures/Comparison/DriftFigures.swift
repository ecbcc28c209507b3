package import Statistics

/// The differences between the devices of two captures: the shares of devices that showed each value, before and after.
package struct DriftFigures: Hashable, Sendable {
    /// The older capture and the newer one.
    package var old: Side
    package var new: Side
    /// The devices of both.
    package var common = 0
    /// The kinds of values that were compared, in their order.
    package var keys: [Key] = []
    /// The values that enough devices showed to be tested, the largest difference first.
    package var values: [Value] = []
    /// The number of values that too few devices showed.
    package var rare = 0
    /// The level of the intervals: `95 %`.
    package var level: String
    /// The bound that no difference of a tested value exceeds, at the level that all of them hold together.
    package var bound = 0.0
    /// The devices of both that could not be evaluated, so that it is not known whether they fail.
    package var unevaluated = 0

    package init(old: Side, new: Side, level: String) { (self.old, self.new, self.level) = (old, new, level) }

    /// One of the captures.
    package struct Side: Hashable, Sendable {
        /// The name, such as the path.
        package var name: String
        package var devices: Int
        package var attestations: Int
        /// The hours from the first attestation to the last one, rounded up to whole hours of the clock.
        package var hours: Int

        package init(name: String, devices: Int, attestations: Int, hours: Int) {
            (self.name, self.devices, self.attestations, self.hours) = (name, devices, attestations, hours)
        }
    }

    /// A kind of values.
    package struct Key: Hashable, Sendable {
        package var key: String
        /// The number of values in either capture.
        package var values: Int
        /// The population stability index of the values, and the index that chance alone exceeds in 5 % of captures.
        package var index: Double
        package var chance: Double

        package init(key: String, values: Int, index: Double, chance: Double) {
            (self.key, self.values, self.index, self.chance) = (key, values, index, chance)
        }
    }

    /// A value, and the devices that showed it.
    package struct Value: Hashable, Sendable {
        package var term: HitFigures.Term
        package var before: Int
        package var after: Int
        /// The share of devices after, minus the share before, and its interval.
        package var difference: Double
        package var interval: ConfidenceInterval
        /// The p-value of the same share in both, adjusted for all values that were tested.
        package var pValue: Double

        package init(
            term: HitFigures.Term, before: Int, after: Int, difference: Double,
            interval: ConfidenceInterval, pValue: Double
        ) {
            (self.term, self.before, self.after) = (term, before, after)
            (self.difference, self.interval, self.pValue) = (difference, interval, pValue)
        }

        /// True if chance does not explain the difference.
        package var isDrift: Bool { pValue <= DriftFigures.significance }
    }

    /// The expected share of false ones among the reported differences.
    package static let significance = 0.05

    /// The values whose shares differ by more than chance explains, the largest difference first.
    package var drifts: [Value] { values.filter(\.isDrift) }

    /// The value with the largest difference; `nil` if none was tested.
    package var largest: Value? { values.first }

    /// True if one capture is more than twice as long as the other, so that its devices had more time to show values.
    package var isUneven: Bool { old.hours > 2 * new.hours || new.hours > 2 * old.hours }
}
