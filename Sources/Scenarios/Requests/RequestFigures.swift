/// The figures about the requests of a group, and about its devices (R19.5).
package struct RequestFigures: Hashable, Sendable {
    /// The name of the group; empty for the figures of several groups.
    package var group: String
    private var counts = [Int](repeating: 0, count: RequestOutcome.allCases.count)
    /// The number of devices that were ever blocked.
    package internal(set) var blockedDevices = 0
    /// The number of devices that were blocked and had no request accepted since.
    package internal(set) var stillBlocked = 0
    /// The longest time from a device's first blocked request to its next accepted one, in seconds; `nil` where no
    /// device was blocked and had a request accepted later.
    package internal(set) var longestBlocked: Int?

    /// The figures of a group without requests.
    init(group: String = "") { self.group = group }

    /// The number of requests that had an outcome.
    package subscript(outcome: RequestOutcome) -> Int { counts[outcome.index] }

    /// The number of requests that were made.
    package var total: Int { counts.reduce(0, +) }

    /// Counts a request with its outcome.
    mutating func count(_ outcome: RequestOutcome) { counts[outcome.index] += 1 }

    /// Adds the figures of another group, which has other devices.
    mutating func merge(_ other: RequestFigures) {
        for index in counts.indices { counts[index] += other.counts[index] }
        blockedDevices += other.blockedDevices
        stillBlocked += other.stillBlocked
        longestBlocked = [longestBlocked, other.longestBlocked].compactMap(\.self).max()
    }
}

extension RequestOutcome {
    /// The index of the outcome in the counts.
    fileprivate var index: Int {
        switch self {
        case .accepted: 0
        case .refused: 1
        case .blocked: 2
        case .intercepted: 3
        case .notSent: 4
        case .noConnection: 5
        }
    }
}
