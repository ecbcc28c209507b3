internal import Figures
package import PolicyEngine

/// The course of one request of a device, step by step (R19).
package struct RequestTrace: Hashable, Sendable {
    package let device: DeviceID
    package let group: String
    /// As the scenario names it.
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
            requiresToken: circumstances.requiresToken)
    }

    private func connection(
        _ attempt: ConnectionAttempt, of install: borrowing Install, names: KeyNames, at time: Instant
    ) -> RequestTrace.Connection {
        let configurations = service.configurations
        let device = service.deviceID(of: install.attestation.device)
        let newest = configurations.newest(for: device, at: time)
        let applied = configurations.pins(of: newest).applied(
            to: host, mode: configurations.mode(of: device, in: newest), usingRoots: circumstances.settings.usesRoots)
        let fitting = ConnectionAttempt(
            applied, revision: newest, settings: circumstances.settings, isCompromised: false, backend: backend.pins,
            proxy: attempt.isIntercepted ? install.proxy : nil)
        let chain = attempt.isIntercepted ? Proxy.chain : backend.chain
        return RequestTrace.Connection(
            origin: attempt.applied?.origin,
            pins: attempt.applied?.origin == .blocking ? [] : (attempt.applied?.pins ?? []).map(names.name),
            chain: chain, isIntercepted: attempt.isIntercepted,
            verdict: attempt.verdict,
            revision: attempt.revision ?? install.configuration.used(builtIn: circumstances.builtIn),
            newest: newest, isLetThroughByNewest: attempt.applied?.origin != .app && fitting.verdict == .connected)
    }
}

/// The names of keys by their pins, as far as chains of a scenario name them.
struct KeyNames: Hashable, Sendable {
    private var names: [String: String] = [:]

    /// - Parameter chains: The chains of the scenario.
    init(_ chains: [[String]]) {
        for name in (chains + [Proxy.chain]).joined() where !PublicKeyPin.isPin(name) {
            names[PublicKeyPin.pin(ofKeyNamed: name)] = name
        }
    }

    /// The name of a pin's key, or else the pin.
    func name(_ pin: String) -> String { names[pin] ?? pin }
}
