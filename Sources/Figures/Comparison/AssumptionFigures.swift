package import PolicyEngine

/// The effects of assumptions about signals, with the change of the account beside them where there is one.
package struct AssumptionFigures: Hashable, Sendable {
    /// The assumptions, in their order.
    package var parts: [Part]
    /// The effects on the devices as they were drawn: of the change alone, of the assumptions alone, and of both.
    package var effects: [Effect]
    /// The figures over all draws; `nil` where each assumption is about all of its devices.
    package var draws: Draws?

    package init(parts: [Part], effects: [Effect] = [], draws: Draws? = nil) {
        (self.parts, self.effects, self.draws) = (parts, effects, draws)
    }

    /// An assumption.
    package struct Part: Hashable, Sendable {
        /// As it was typed.
        package var text: String
        /// The devices of which some record is selected.
        package let devices: Int
        /// Those of them that were drawn.
        package let drawn: Int

        package init(text: String, devices: Int, drawn: Int) {
            (self.text, self.devices, self.drawn) = (text, devices, drawn)
        }
    }

    /// The cause of an effect.
    package enum Cause: String, CaseIterable, Sendable {
        case change, assumption, both
    }

    /// The effect of a cause, compared with the account and the records as they are, in devices.
    package struct Effect: Hashable, Sendable {
        package let cause: Cause
        package let rejected: Int
        package let accepted: Int
        package let lockedOut: Int
        package let letIn: Int
        package let unevaluated: Int

        package init(_ cause: Cause, _ changes: ComparisonFigures) {
            self.cause = cause
            (rejected, accepted) = (changes.rejected.devices, changes.accepted.devices)
            (lockedOut, letIn) = (changes.lockedOut, changes.letIn)
            unevaluated = changes.unevaluated.devices
        }
    }

    /// The numbers of devices that would be turned, over all choices of the share.
    package struct Draws: Hashable, Sendable {
        /// The devices that are newly rejected, and those that are newly accepted.
        package let rejected: DrawnCount
        package let accepted: DrawnCount
        /// The devices that the share is taken of, and how many are taken.
        package let devices: Int
        package let taken: Int
        /// Those of the devices that are not evaluated.
        package let unevaluated: Int

        package init(rejected: DrawnCount, accepted: DrawnCount, devices: Int, taken: Int, unevaluated: Int) {
            (self.rejected, self.accepted) = (rejected, accepted)
            (self.devices, self.taken, self.unevaluated) = (devices, taken, unevaluated)
        }
    }
}

/// The number of devices with a property if some devices are drawn, of which each has it or not, drawn or not drawn.
package struct DrawnCount: Hashable, Sendable {
    /// The number to expect, and its standard deviation, if each device is drawn by itself with the probability of the share.
    package let expected: Double
    package let deviation: Double
    /// The least and the greatest number over all choices of as many devices as the share is of all.
    package let fewest: Int
    package let most: Int

    /// The devices of a group by their property.
    package struct Group: Hashable, Sendable {
        /// Devices that have it only if drawn, and devices that have it only if not.
        package var gaining = 0
        package var losing = 0
        /// Devices that have it either way, and devices that never have it.
        package var always = 0
        package var never = 0
        /// Devices of which that is not known, which are not counted.
        package var unknown = 0

        package init() {}

        fileprivate var known: Int { gaining + losing + always + never }
    }

    /// - Parameters:
    ///   - others: The devices outside of the group that have the property.
    ///   - group: The devices that are drawn from.
    ///   - share: The share of them.
    ///   - taken: As many devices of the group as that is.
    /// - Complexity: O(devices of the group).
    package init(others: Int, _ group: Group, share: Percentage, taken: Int) {
        let (fraction, base) = (share.fraction, others + group.always)
        expected = Double(base) + Double(group.gaining) * fraction + Double(group.losing) * (1 - fraction)
        deviation = (Double(group.gaining + group.losing) * fraction * (1 - fraction)).squareRoot()
        // The devices that are not known may be among those that are taken, or not.
        let counts = max(0, taken - group.unknown)...min(taken, group.known)
        fewest = base + (counts.map { Self.fewest(group, $0) }.min() ?? 0)
        most = base + (counts.map { Self.most(group, $0) }.max() ?? 0)
    }

    // If some known devices are drawn: first those whose property is gained, and at last those whose property is lost.
    private static func most(_ group: Group, _ drawn: Int) -> Int {
        let gained = min(drawn, group.gaining)
        return group.losing + gained - max(0, drawn - gained - group.always - group.never)
    }

    private static func fewest(_ group: Group, _ drawn: Int) -> Int {
        let lost = min(drawn, group.losing)
        return group.losing - lost + max(0, drawn - lost - group.always - group.never)
    }
}
