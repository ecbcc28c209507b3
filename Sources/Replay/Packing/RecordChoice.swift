package import PolicyEngine

/// The records of captures that are gathered: all, or those of a span of time and of some devices.
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

    /// True if records of a time may be gathered.
    func includes(_ time: Instant) -> Bool { from.map { $0 <= time } ?? true && to.map { time < $0 } ?? true }
}
