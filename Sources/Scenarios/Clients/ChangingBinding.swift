internal import PolicyEngine

/// Data that an app binds its tokens to and that changes by itself, as the header of a session does (R19.1a).
struct ChangingBinding: Hashable, Sendable {
    /// When it began.
    let since: Instant
    /// Seconds from one change to the next, at least 1.
    let every: Int

    /// The value at a time: that of the device, and behind it how often it changed.
    ///
    /// - Parameters:
    ///   - own: The value of the device.
    ///   - time: Not before it began.
    func value(from own: String, at time: Instant) -> String {
        let changes = (time - since) / every
        return changes == 0 ? own : "\(own)/\(changes)"
    }
}
