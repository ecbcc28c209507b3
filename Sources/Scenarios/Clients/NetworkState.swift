internal import PolicyEngine
internal import Replay

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

    /// How a fetch ends that needs the network; `nil` where it arrives.
    var failure: FetchResult? {
        switch self {
        case .ok: nil
        case .none: .noNetwork
        case .poor: .poorNetwork
        case .mitm: .mitmDetected
        }
    }
}

/// Where a device moves to: a network, and who is on the way there (R18.6).
struct NetworkChange: Hashable, Sendable {
    let state: NetworkState
    /// Whoever sits between, where somebody does.
    var proxy: Proxy?
}
