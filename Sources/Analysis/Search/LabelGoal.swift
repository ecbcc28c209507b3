package import Figures
internal import Replay

/// The condition that labelled devices set to the edits of a search.
package struct LabelGoal: Sendable {
    /// Returns true if the verdicts on labelled devices are good enough.
    let isMet: @Sendable (LabelOutcome) -> Bool
    /// The labels of which there must be a device: of none, everything is true.
    let needed: [DeviceLabel]

    /// - Parameters:
    ///   - needed: The labels of which there must be a device.
    ///   - isMet: Returns true if the verdicts on labelled devices are good enough.
    package init(needed: [DeviceLabel], isMet: @escaping @Sendable (LabelOutcome) -> Bool) {
        (self.needed, self.isMet) = (needed, isMet)
    }
}

/// The verdicts of an account on labelled devices: a device is rejected if one of its attestations fails at least.
package struct LabelOutcome: Hashable, Sendable {
    /// The bad devices, and those that are rejected.
    package var bad = 0
    package var caught = 0
    /// The good devices, and those that are rejected.
    package var good = 0
    package var blocked = 0

    package init() {}

    /// Counts devices of one label.
    mutating func count(_ devices: Int, _ label: DeviceLabel, isRejected: Bool) {
        switch label {
        case .bad:
            bad += devices
            if isRejected { caught += devices }
        case .good:
            good += devices
            if isRejected { blocked += devices }
        case .unknown: break
        }
    }

    /// The verdicts that records have.
    init(_ records: [KeptRecord], _ labelled: LabelledDevices) {
        let devices = Set(records.map(\.device))
        let rejected = Set(records.lazy.filter { !$0.passed }.map(\.device))
        for device in devices { count(1, labelled[device], isRejected: rejected.contains(device)) }
    }
}
