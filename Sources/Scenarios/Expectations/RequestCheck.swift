internal import Documents

/// An expectation at the end about the requests of a group, or of all (R19.6).
struct RequestCheck: Sendable {
    let figure: Figure
    /// The group by its index; `nil` is all groups of the account.
    let group: Int?
    let position: SourcePosition
    /// A count, or seconds.
    let range: CountRange

    /// A figure about requests at the end.
    enum Figure: Hashable, Sendable {
        case outcome(RequestOutcome)
        /// Devices that were ever blocked.
        case blockedDevices
        /// Devices that were blocked and had no request accepted since.
        case stillBlocked
        /// Seconds from the first blocked request of a device to its next accepted one.
        case longestBlocked

        /// As scenarios name it.
        var name: String {
            switch self {
            case .outcome(let outcome): outcome.rawValue
            case .blockedDevices: "blocked-devices"
            case .stillBlocked: "still-blocked"
            case .longestBlocked: "longest-blocked"
            }
        }

        /// All of them.
        static let all: [Figure] =
            RequestOutcome.allCases.map(Figure.outcome) + [.blockedDevices, .stillBlocked, .longestBlocked]
    }
}
