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
    /// The values that were tested, the largest difference first; those that few devices showed are one for each kind.
    package var values: [Value] = []
    /// The number of values that few devices showed.
    package var rare = 0
    /// The level of the intervals: `95 %`.
    package var level: String
    /// The bound that no difference of any value exceeds, at that level: one-sided and exact.
    package var bound = 0.0
    /// The greatest difference of any value in these captures, rare ones included, whatever the verdicts on devices are that are
    /// not evaluated; `nil` where no device showed a value.
    package var greatest: Greatest?

    /// The records that the captures were narrowed to; `nil` for all of their records.
    package var narrowed: NarrowedRecords?
    /// The assumptions about signals of the first capture; `nil` where nothing was assumed.
    package var assumed: AssumptionFigures?

    package init(old: Side, new: Side, level: String) { (self.old, self.new, self.level) = (old, new, level) }

    /// One of the captures.
    package struct Side: Hashable, Sendable {
        /// The name, such as the path.
        package var name: String
        package var devices: Int
        package var attestations: Int
        /// The hours from the first attestation to the last one, rounded up to whole hours of the clock.
        package var hours: Int
        /// The devices that are not evaluated, so that it is not known whether they fail.
        package var unevaluated: Int

        package init(name: String, devices: Int, attestations: Int, hours: Int, unevaluated: Int = 0) {
            (self.name, self.devices, self.attestations, self.hours) = (name, devices, attestations, hours)
            self.unevaluated = unevaluated
        }
    }

    /// The greatest difference of a value.
    package struct Greatest: Hashable, Sendable {
        package var term: HitFigures.Term
        package var difference: Double

        package init(term: HitFigures.Term, difference: Double) { (self.term, self.difference) = (term, difference) }
    }

    /// A kind of values.
    package struct Key: Hashable, Sendable {
        package var key: String
        /// The number of values in either capture.
        package var values: Int
        /// True if the values follow from decisions of the account, which are not known of devices that are not evaluated.
        package var isDecided: Bool
        /// The population stability index of the values, and the index that chance alone exceeds in 5 % of captures.
        package var index: Double
        package var chance: Double

        package init(key: String, values: Int, isDecided: Bool, index: Double, chance: Double) {
            (self.key, self.values, self.isDecided) = (key, values, isDecided)
            (self.index, self.chance) = (index, chance)
        }
    }

    /// A value, and the devices that showed it.
    package struct Value: Hashable, Sendable {
        package var term: HitFigures.Term
        /// The number of values that few devices showed, and that are added up here; 0 for a single value.
        package var rare: Int
        package var before: Int
        package var after: Int
        /// The share of devices after, minus the share before, and its interval; of a drift at the level of selected ones.
        package var difference: Double
        package var interval: ConfidenceInterval
        /// The p-value of the same share in both, adjusted for all values that were tested.
        package var pValue: Double

        package init(
            term: HitFigures.Term, rare: Int = 0, before: Int, after: Int, difference: Double,
            interval: ConfidenceInterval, pValue: Double
        ) {
            (self.term, self.rare, self.before, self.after) = (term, rare, before, after)
            (self.difference, self.interval, self.pValue) = (difference, interval, pValue)
        }

        /// The condition of devices that showed it: `flag:rooted`, or `other values of app-version`.
        package var condition: String { rare > 0 ? "other values of \(term.key)" : term.condition }

        /// True if chance does not explain the difference.
        package var isDrift: Bool { pValue <= DriftFigures.significance }
    }

    /// The expected share of false ones among the reported differences.
    package static let significance = 0.05

    /// The values whose shares differ by more than chance explains, the largest difference first.
    package var drifts: [Value] { values.filter(\.isDrift) }

    /// The devices of both that are not evaluated.
    package var unevaluated: Int { old.unevaluated + new.unevaluated }

    /// Why nothing was compared; `nil` where something was.
    package var emptiness: String? {
        guard !values.isEmpty else { return "no device showed a value of \(keys.map(\.key).joined(separator: ", "))" }
        guard keys.contains(where: \.isDecided),
            let side = [old, new].first(where: { $0.unevaluated >= $0.devices })
        else { return nil }
        return "no device of \(side.name) could be evaluated"
    }

    /// True if one capture is more than twice as long as the other, so that its devices had more time to show values.
    package var isUneven: Bool { old.hours > 2 * new.hours || new.hours > 2 * old.hours }
}
