internal import Figures
package import PolicyEngine

/// The course of one request of a device, step by step (R19).
package struct RequestTrace: Hashable, Sendable {
    package let device: DeviceID
    package let group: String
    /// The domain or the URL, as the scenario names it.
    package let target: String
    /// True if it is plain HTTP (R19.7); and true if it carries another install's token (R19.8).
    package let isPlain: Bool
    package let carriesForeignToken: Bool
    package let outcome: RequestOutcome
    /// The header that tokens are bound to; `nil` where the app has none.
    package let header: String?
    /// The client's status; `nil` where nothing was fetched, because the header is missing.
    package let result: String?
    package let isCached: Bool
    /// True if the app was launched anew first, because pins were forced.
    package let wasRelaunched: Bool
    /// The verdict of the token that the request carries; `nil` where it carries none.
    package let passed: Bool?
    package let rejections: [String]
    /// `nil` where the app did not connect.
    package let connection: Connection?
    /// True if the backend asks for a token.
    package let requiresToken: Bool
    /// True if there is a network, and the backend does not answer (R19.10).
    package let isUnanswered: Bool
    /// The seconds since the token expired by the backend's clock; `nil` for one that is in time, or none.
    package let expiredFor: Int?

    /// The pins that the app looked for, and the chain that it found.
    package struct Connection: Hashable, Sendable {
        /// Whose pins applied; `nil` where none did.
        package let origin: PinOrigin?
        /// The pins, by the names of their keys where chains of the scenario name them.
        package let pins: [String]
        /// The chain that was presented, likewise.
        package let chain: [String]
        package let isIntercepted: Bool
        package let verdict: ConnectionVerdict
        /// The revision of the configuration that the app uses, and the newest.
        package let revision: Int
        package let newest: Int
        /// True if the pins of the newest revision would let it through.
        package let isLetThroughByNewest: Bool
    }
}

extension RequestRound {
    /// The course of a request.
    ///
    /// - Parameters:
    ///   - result: The result of the request.
    ///   - install: The install that made it.
    ///   - target: Its target, and what it carries.
    ///   - group: The name of the install's group.
    ///   - names: The names of keys.
    ///   - time: Now.
    func trace(
        of result: Result, by install: borrowing Install, target: RequestTarget, group: String, names: KeyNames,
        at time: Instant
    ) -> RequestTrace {
        let decision = result.carriesToken ? (result.foreignToken ?? install.token)?.decision : nil
        return RequestTrace(
            device: service.deviceID(of: install.attestation.device), group: group,
            target: target.text, isPlain: target.isPlain, carriesForeignToken: target.tokenGroup != nil,
            outcome: result.outcome, header: circumstances.settings.bindingHeader,
            result: result.fetch?.result.rawValue,
            isCached: result.fetch?.isCached ?? false, wasRelaunched: result.earlier != nil,
            passed: decision?.passed, rejections: service.names(of: .rejections, in: decision) ?? [],
            connection: result.connection.map { connection($0, of: install, names: names, at: time) },
            requiresToken: circumstances.requiresToken,
            isUnanswered: result.outcome == .noConnection && install.network != .none && install.network != .poor,
            expiredFor: decision.flatMap { decision in
                let seconds = time + backend.clock - decision.expires
                return seconds >= 0 ? seconds : nil
            })
    }

    private func connection(
        _ attempt: ConnectionAttempt, of install: borrowing Install, names: KeyNames, at time: Instant
    ) -> RequestTrace.Connection {
        let configurations = service.configurations
        let device = service.deviceID(of: install.attestation.device)
        let newest = configurations.newest(for: device, at: time)
        let applied = configurations.pins(of: newest).applied(
            to: host, presenting: backend.chain.pins, mode: configurations.mode(of: device, in: newest),
            usingRoots: circumstances.settings.usesRoots)
        let fitting = ConnectionAttempt(
            applied, revision: newest, settings: circumstances.settings, isCompromised: false, attempt.chain,
            proxy: attempt.isIntercepted ? install.path.proxy : nil)
        return RequestTrace.Connection(
            origin: attempt.applied?.origin,
            pins: attempt.applied?.origin == .blocking ? [] : (attempt.applied?.pins ?? []).map(names.name),
            chain: attempt.chain.keys, isIntercepted: attempt.isIntercepted,
            verdict: attempt.verdict,
            revision: attempt.revision ?? install.configuration.used(builtIn: circumstances.builtIn),
            newest: newest, isLetThroughByNewest: attempt.applied?.origin != .app && fitting.verdict == .connected)
    }
}

/// The names of keys by their pins, as far as chains of a scenario name them.
struct KeyNames: Hashable, Sendable {
    private var names: [String: String] = [:]

    /// - Parameter chains: The chains of the scenario.
    init(_ chains: [KeyChain]) {
        for name in (chains + [Proxy.chain]).flatMap(\.keys) where !PublicKeyPin.isPin(name) {
            names[PublicKeyPin.pin(ofKeyNamed: name)] = name
        }
    }

    /// The name of a pin's key, or else the pin.
    func name(_ pin: String) -> String { names[pin] ?? pin }
}

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
    /// The chain that the app finds.
    let chain: KeyChain
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
    ///   - chain: The chain that the app finds.
    ///   - proxy: The proxy between, if there is one.
    init(
        _ applied: PinConfiguration.Applied?, revision: Int?, settings: ClientSettings, isCompromised: Bool,
        _ chain: KeyChain, proxy: Proxy?
    ) {
        (self.applied, self.revision, self.chain) = (applied, revision, chain)
        isIntercepted = proxy != nil
        verdict =
            if proxy?.isTrusted == false {
                .untrusted
            } else if isCompromised {
                .unchecked
            } else if let applied {
                applied.pins.contains(where: chain.pins.contains) ? .connected : .mismatch
            } else {
                settings.acceptsUnpinned ? .connected : .unpinned
            }
    }
}

/// The destination of requests, and the data that they carry (R19).
struct RequestTarget: Hashable, Sendable {
    /// The domain or the URL, as it was written.
    let text: String
    /// The domain in lower case.
    let host: String
    /// True if it is plain HTTP, to which no token is sent and no pin applies (R19.7).
    let isPlain: Bool
    /// The value of the header that tokens are bound to.
    var header = HeaderValue.ofDevice
    /// The group whose tokens are sent in place of the app's own, by its index (R19.8).
    var tokenGroup: Int?

    /// The value of a header.
    enum HeaderValue: Hashable, Sendable {
        /// Each device has its own value.
        case ofDevice
        /// All devices have this value.
        case text(String)
        /// The header is missing.
        case absent
    }

    /// - Parameter text: A domain, or a URL with `https` or `http`.
    /// - Returns: `nil` for what is neither.
    init?(_ text: String) {
        if let domain = RequestedDomain.domain(of: text) {
            (host, isPlain) = (domain.lowercased(), false)
        } else if let domain = RequestedDomain.domain(of: text, scheme: "http") {
            (host, isPlain) = (domain.lowercased(), true)
        } else {
            return nil
        }
        self.text = text
    }
}
