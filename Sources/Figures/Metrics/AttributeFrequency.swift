/// The frequencies of the values of an attribute.
package struct AttributeFrequency: Hashable, Sendable {
    /// The key of the attribute.
    package var attribute: String
    /// Attestations with the attribute, and without it.
    package var present = 0
    package var absent = 0
    /// The number of different values; `nil` where not all of them could be kept.
    package var different: Int?
    /// The highest count that a value may have that is not among the commonest; 0 where all are.
    package var restAtMost = 0
    /// The commonest values, those of most attestations first, then by their bytes.
    package var commonest: [Value] = []

    package init(_ attribute: String) { self.attribute = attribute }

    /// True if every figure is exact.
    package var isExact: Bool {
        different != nil && commonest.allSatisfy { $0.missed == 0 && $0.missedDevices == 0 }
    }

    /// A value. Each count is a minimum, and what was missed may be added to it at most.
    package struct Value: Hashable, Sendable {
        package var text: String
        package var attestations = 0
        package var failed = 0
        package var devices = 0
        /// Attestations that may have been missed, failed ones among them.
        package var missed = 0
        /// Devices that may have been missed.
        package var missedDevices = 0

        package init(_ text: String) { self.text = text }
    }
}
