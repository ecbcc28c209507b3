internal import PolicyEngine

/// The outcomes of the requests of a group so far, device by device (R19.5).
struct RequestLedger {
    private(set) var figures: RequestFigures
    // The latest request of each install, by its number.
    private var devices: [Device]

    private struct Device {
        // The latest request, and in what circumstances it was made; `0` before any.
        var stamp: UInt32 = 0
        var epoch: UInt32 = 0
        var outcome = RequestOutcome.notSent
        var isSigned = false
        // Since when it is blocked.
        var blockedSince: Instant?
        var wasBlocked = false
    }

    /// - Parameters:
    ///   - group: The group's name.
    ///   - count: The number of its installs.
    init(group: String, count: Int) {
        figures = RequestFigures(group: group)
        devices = Array(repeating: Device(), count: count)
    }

    /// The outcome of a request in circumstances that are as they were at the latest one.
    ///
    /// - Parameters:
    ///   - number: The install.
    ///   - stamp: Stands for everything outside the install that affects the outcome.
    ///   - epoch: Stands for everything within it.
    /// - Returns: `nil` where anything changed; else the outcome, which is counted, and whether the message was signed.
    @inline(__always)
    mutating func countAgain(
        _ number: Int, stamp: UInt32, epoch: UInt32
    ) -> (outcome: RequestOutcome, isSigned: Bool)? {
        guard devices[number].stamp == stamp, devices[number].epoch == epoch else { return nil }
        let outcome = devices[number].outcome
        figures.count(outcome)
        return (outcome, devices[number].isSigned)
    }

    /// Counts a request.
    mutating func count(
        _ outcome: RequestOutcome, of number: Int, stamp: UInt32, epoch: UInt32, isSigned: Bool, at time: Instant
    ) {
        figures.count(outcome)
        (devices[number].stamp, devices[number].epoch) = (stamp, epoch)
        (devices[number].outcome, devices[number].isSigned) = (outcome, isSigned)
        if outcome == .blocked {
            if !devices[number].wasBlocked { figures.blockedDevices += 1 }
            devices[number].wasBlocked = true
            if devices[number].blockedSince == nil {
                devices[number].blockedSince = time
                figures.stillBlocked += 1
            }
        } else if outcome == .accepted, let since = devices[number].blockedSince {
            devices[number].blockedSince = nil
            figures.stillBlocked -= 1
            figures.longestBlocked = max(figures.longestBlocked ?? 0, time - since)
        }
    }
}
