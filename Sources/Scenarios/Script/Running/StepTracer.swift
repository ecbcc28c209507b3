internal import PolicyEngine
internal import Replay

/// Follows some installs through a scenario, and keeps what they meet.
struct StepTracer: Sendable {
    // A device that no install was yet.
    private var sought: SoughtDevice?
    /// The installs that are followed.
    private(set) var followed: [LaunchTimes.Launch]
    /// The requests and other events that they met, in the order of time.
    private(set) var traces: [StepTrace] = []

    /// Follows installs.
    init(installs: [LaunchTimes.Launch]) { followed = installs }

    /// Follows whoever is a device first.
    init(device: SoughtDevice) { (sought, followed) = (device, []) }

    /// Looks for the device that is sought.
    mutating func find(among installs: [[Install]], id: (Install) -> DeviceID) {
        guard let wanted = sought else { return }
        for group in installs {
            followed += group.filter { wanted.has(id($0)) }.map {
                LaunchTimes.Launch(group: $0.group, number: $0.number)
            }
        }
        if !followed.isEmpty { sought = nil }
    }

    func follows(_ install: borrowing Install) -> Bool {
        let (group, number) = (install.group, install.number)
        return followed.contains { $0.group == group && $0.number == number }
    }

    /// Keeps a request or another event, with the one before where that was the same.
    mutating func note(_ details: StepTrace.Details, at time: Instant) {
        let index = traces.count - 1
        if index >= 0, traces[index].details == details {
            (traces[index].last, traces[index].count) = (time, traces[index].count + 1)
        } else {
            traces.append(StepTrace(first: time, last: time, details: details))
        }
    }
}
