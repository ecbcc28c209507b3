package import Statistics

/// Sums over the devices of a replay, from which intervals follow.
package struct DeviceMoments: Figure, Addable, Hashable {
    /// The failing attestations.
    package var failing = ShareMoments()
    /// The number of devices that are evaluated and failed at least once.
    package var failingDevices = 0

    package static let fields: [Field<DeviceMoments>] = [
        .sum("failing", \.failing), .sum("failing-devices", \.failingDevices),
    ]

    package init() {}

    /// Adds a device.
    ///
    /// - Parameter isKnown: False if the device could not be evaluated.
    package mutating func add(failed: Int, of total: Int, isKnown: Bool) {
        failing.add(isKnown ? failed : nil, of: total)
        if isKnown, failed > 0 { failingDevices += 1 }
    }
}

/// Sums over the devices of a comparison, from which intervals follow.
package struct ChangeMoments: Figure, Addable, Hashable {
    /// The attestations that passed before and fail after, and those that failed before and pass after.
    package private(set) var rejected = ShareMoments()
    package private(set) var accepted = ShareMoments()
    /// The failing attestations after, less those before.
    package private(set) var failing = ShareMoments()
    /// The attestations whose annotations differ.
    package private(set) var annotated = ShareMoments()
    /// The token fetches to expect after the change, in thousandths, over those before; without devices that could not
    /// be evaluated.
    package private(set) var fetches = RatioMoments()

    package static let fields: [Field<ChangeMoments>] = [
        .sum("rejected", \.rejected), .sum("accepted", \.accepted), .sum("failing", \.failing),
        .sum("annotated", \.annotated), .sum("fetches", \.fetches),
    ]

    package init() {}

    /// The effects of a change on the attestations of one device.
    package struct Device {
        package var attestations = 0
        package var rejected = 0
        package var accepted = 0
        package var annotated = 0
        /// The attestations that get a token on both sides, and the thousandths of fetches that each makes after.
        package var fetches = 0
        package var fetchesPerMille = 0

        package init() {}
    }

    /// Adds a device.
    ///
    /// - Parameter isKnown: False if the device could not be evaluated.
    package mutating func add(_ device: Device, isKnown: Bool) {
        let total = device.attestations
        rejected.add(isKnown ? device.rejected : nil, of: total)
        accepted.add(isKnown ? device.accepted : nil, of: total)
        failing.add(isKnown ? device.rejected - device.accepted : nil, of: total)
        annotated.add(isKnown ? device.annotated : nil, of: total)
        if isKnown { fetches.add(device.fetchesPerMille, over: device.fetches) }
    }
}
