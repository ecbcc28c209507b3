/// What a client counts of its own calls, until it can report it (R13.3).
package struct ClientStatistics: Hashable, Sendable {
    var fetches: UInt32 = 0
    var successes: UInt32 = 0
    var withoutNetwork: UInt32 = 0
    var withPoorNetwork: UInt32 = 0
    var intercepted: UInt32 = 0
    package var bindings: UInt32 = 0

    package init() {}

    /// Counts a fetch.
    package mutating func count(_ result: FetchResult) {
        fetches &+= 1
        switch result {
        case .success: successes &+= 1
        case .noNetwork: withoutNetwork &+= 1
        case .poorNetwork: withPoorNetwork &+= 1
        case .mitmDetected: intercepted &+= 1
        case .noApproovService, .badURL, .unknownURL, .unprotectedURL: break
        }
    }
}
