package import PolicyEngine

/// The records of captures that are taken: all, or those of a span of time and of some devices.
///
/// A record that is left out is left out as soon as it is understood, so that everything behind is as if the captures were without it:
/// the numbers of flags and apps, what devices remember, and the order of time.
package struct RecordChoice: Sendable {
    /// The first time; `nil` for none.
    package var from: Instant?
    /// The time behind the last; `nil` for none.
    package var to: Instant?
    /// The devices; `nil` for all.
    package var devices: Set<DeviceID>?

    package init(from: Instant? = nil, to: Instant? = nil, devices: Set<DeviceID>? = nil) {
        (self.from, self.to, self.devices) = (from, to, devices)
    }

    /// True if all records are taken.
    var isEverything: Bool { from == nil && to == nil && devices == nil }

    /// True if a record is taken.
    func includes(_ head: RecordHead) -> Bool {
        from.map { $0 <= head.time } ?? true && to.map { head.time < $0 } ?? true && includes(head.id)
    }

    /// True if records of a device may be taken.
    func includes(_ device: DeviceID) -> Bool { devices?.contains(device) ?? true }
}
