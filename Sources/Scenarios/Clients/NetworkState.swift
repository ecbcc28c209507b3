internal import Figures

/// The network that a device is in (R14.2).
package enum NetworkState: String, Hashable, Sendable, CaseIterable {
    /// Every request arrives.
    case ok
    /// There is none, and the client knows.
    case none
    /// Requests get lost.
    case poor
    /// Somebody sits between the client and the service.
    case mitm

    /// The result of a fetch that needs the network; `nil` if it arrives.
    var failure: FetchResult? {
        switch self {
        case .ok: nil
        case .none: .noNetwork
        case .poor: .poorNetwork
        case .mitm: .mitmDetected
        }
    }
}

/// A move of a device to a network (R18.6, R18.9).
struct NetworkChange: Hashable, Sendable {
    var state: NetworkState
    var path = NetworkPath()
}
