/// The result of the checks of a connection.
package enum ConnectionVerdict: Hashable, Sendable {
    case connected
    /// Nothing was compared, since an attacker has switched the app's pinning off (R18.5).
    case unchecked
    /// The platform trusts no such certificate.
    case untrusted
    /// No certificate of the chain has one of the pins.
    case mismatch
    /// No pins apply, and the app wants some.
    case unpinned
}

/// An app connects to a host: what it looks for, what it finds, and whether it continues (R18.2–R18.6).
struct ConnectionAttempt: Hashable, Sendable {
    /// The pins that apply; `nil` where none do.
    let applied: PinConfiguration.Applied?
    /// The revision of the configuration that they are of; `nil` where they are built into the app.
    let revision: Int?
    /// True if a proxy is between the app and the host.
    let isIntercepted: Bool
    let verdict: ConnectionVerdict

    /// True if the app continues.
    var isMade: Bool {
        switch verdict {
        case .connected, .unchecked: true
        case .untrusted, .mismatch, .unpinned: false
        }
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - applied: The pins that apply.
    ///   - revision: Of which revision they are.
    ///   - settings: The settings of the app.
    ///   - isCompromised: True if an attacker has switched its pinning off.
    ///   - backend: The pins of the chain that the host presents.
    ///   - proxy: The proxy between, if there is one.
    init(
        _ applied: PinConfiguration.Applied?, revision: Int?, settings: ClientSettings, isCompromised: Bool,
        backend: [String], proxy: Proxy?
    ) {
        self.applied = applied
        self.revision = revision
        isIntercepted = proxy != nil
        let presented = proxy == nil ? backend : Proxy.pins
        verdict =
            if proxy?.isTrusted == false {
                .untrusted
            } else if isCompromised {
                .unchecked
            } else if let applied {
                applied.pins.contains(where: presented.contains) ? .connected : .mismatch
            } else {
                settings.acceptsUnpinned ? .connected : .unpinned
            }
    }
}
