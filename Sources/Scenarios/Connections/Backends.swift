internal import Accounts
internal import Documents
internal import PolicyEngine

/// The backends of a scenario, by the domain's name in lower case (R18.6, R19.4).
struct Backends: Hashable, Sendable {
    private var backends: [ExactText: Backend] = [:]
    /// Counts the changes.
    private(set) var version = 0

    /// A backend that presents a chain and looks at tokens.
    struct Backend: Hashable, Sendable {
        /// The chain that it presents.
        var chain: KeyChain
        /// The chain that is found in its place on the network where management commands are given (R18.9); `nil` for the same.
        var localChain: KeyChain?
        /// False if it does not answer (R19.10).
        var answers = true
        /// True if its chain was given, and is not the usual one.
        fileprivate var isChainKnown = false
        /// True if it checks tokens; false is the emergency switch. If `nil`, it checks them when the account gives tokens
        /// for the domain (R19.4).
        var requiresToken: Bool?
        /// The seconds by which its clock is ahead of the service's (R19.9).
        var clock = 0

        /// The backend of a domain of which nothing is said: one key, which is called as the domain is.
        static func usual(_ domain: String) -> Backend { Backend(chain: KeyChain([domain])) }

        /// The chain that somebody finds; `nil` where nobody answers.
        func presented(locally isLocal: Bool = false) -> KeyChain? {
            answers ? (isLocal ? localChain : nil) ?? chain : nil
        }
    }

    /// A change of a backend by a step; a setting that is `nil` stays.
    struct Change: Hashable, Sendable {
        /// The domain's name in lower case.
        let domain: String
        var chain: KeyChain?
        var localChain: KeyChain?
        var answers: Bool?
        var requiresToken: Bool?
        var clock: Int?
    }

    /// The backend of a domain.
    ///
    /// - Parameter domain: In lower case.
    subscript(domain: String) -> Backend { backends[ExactText(domain)] ?? .usual(domain) }

    /// True if the chain of a domain's backend was given.
    func saysChain(of domain: String) -> Bool { self[domain].isChainKnown }

    /// The domains whose backends were given a setting, in lower case and in their order.
    var domains: [String] { backends.keys.sorted().map(\.text) }

    /// The chains of all of them.
    var chains: [KeyChain] { backends.values.flatMap { [$0.chain, $0.localChain].compactMap(\.self) } }

    /// The chains that they present, for commands that look at them (R18.2a).
    ///
    /// - Parameter knowsAll: False if nothing is known of backends whose chains were not given.
    func presented(knowingAll knowsAll: Bool = true) -> KnownChains {
        KnownChains { domain in
            guard knowsAll || saysChain(of: domain) else { return nil }
            let backend = self[domain]
            return (backend.presented(locally: true)?.keys, backend.presented()?.keys)
        }
    }

    /// Changes a backend from now on.
    mutating func apply(_ change: Change) {
        var backend = self[change.domain]
        if let chain = change.chain { (backend.chain, backend.isChainKnown) = (chain, true) }
        if let chain = change.localChain { backend.localChain = chain }
        if let answers = change.answers { backend.answers = answers }
        if let requiresToken = change.requiresToken { backend.requiresToken = requiresToken }
        if let clock = change.clock { backend.clock = clock }
        backends[ExactText(change.domain)] = backend
        version += 1
    }

    /// Changes backends from now on, one after the other.
    mutating func apply(_ changes: [Change]) {
        for change in changes { apply(change) }
    }
}

/// The keys of a chain of certificates, the leaf first.
struct KeyChain: Hashable, Sendable {
    /// Their names, or their pins.
    let keys: [String]
    /// Their pins.
    let pins: [String]

    init(_ keys: [String]) {
        self.keys = keys
        pins = keys.map(PublicKeyPin.pin(inChain:))
    }
}

/// Somebody between an app and its backends (R18.6).
struct Proxy: Hashable, Sendable {
    /// The domains, in lower case, on whose way it is; `nil` is all of them, and the service.
    let domains: Set<String>?
    /// True if the platform trusts its certificate.
    let isTrusted: Bool

    /// The chain that it presents.
    static let chain = KeyChain(["MITM"])

    /// True if it is on the way to a host.
    func intercepts(_ host: String) -> Bool { domains?.contains(host) ?? true }
}

/// The way from a device to its backends (R18.6, R18.9).
struct NetworkPath: Hashable, Sendable {
    /// The proxy on it, if there is one.
    var proxy: Proxy?
    /// True if the device is on the network where management commands are given.
    var isLocal = false

    /// The proxy on the way to a host, if there is one.
    func proxy(to host: String) -> Proxy? { proxy.flatMap { $0.intercepts(host) ? $0 : nil } }

    /// The chain that the device finds at a host; `nil` where nobody answers.
    func chain(at host: String, of backend: Backends.Backend) -> KeyChain? {
        proxy(to: host) == nil ? backend.presented(locally: isLocal) : Proxy.chain
    }
}

// MARK: Forms

extension Backends {
    private static let chain = ValueForm<KeyChain>(.list(of: .text, atLeast: 1)) { node, what, reader in
        guard let texts = reader.texts(node, what)?.map(\.text) else { return nil }
        if !texts.isEmpty { return KeyChain(texts) }
        reader.error("a chain has at least one key", at: node.position)
        return nil
    }

    // The fields of a backend; at the start, or changed by a step.
    private static func fields(token: String, clock: String) -> [Field<Change>] {
        [
            .optional(
                "chain", \.chain, chain,
                "The certificates that the backend presents, the leaf first: names of keys, or pins."),
            .optional("token", \.requiresToken, .words("required", "ignored"), token),
            .optional("clock", \.clock, .offset, clock),
            .optional(
                "local-chain", \.localChain, chain,
                "The chain that is found on the network where management commands are given."),
            .optional("answers", \.answers, .boolean, "With false, the backend does not answer."),
        ]
    }

    private static let fields = fields(
        token: "Says if the backend checks tokens.",
        clock: "The time by which the clock of the backend is ahead, or behind with a minus sign.")

    private static let changedFields = fields(
        token: "Says if the backend checks tokens from now on.",
        clock: "The time by which the backend's clock is ahead, or behind with a minus sign.")

    /// Backends by domain, as they are at the start.
    static let form = ValueForm<Backends>(.map(of: fields.schema(atLeast: 1), keys: RuleForms.domain)) {
        node, what, reader in
        var backends = Backends()
        for entry in reader.mapping(node, what)?.entries ?? [] {
            if let change = change(entry, &reader) { backends.apply(change) }
        }
        return backends
    }

    /// The changes that a step makes, by domain; a list is a chain.
    static let changes = ValueForm<[Change]>(
        .map(of: .any(of: [chain.schema, changedFields.schema(atLeast: 1)]), keys: RuleForms.domain, atLeast: 1)
    ) { node, what, reader in
        let entries = reader.mapping(node, what)?.entries ?? []
        if entries.isEmpty, node.isMapping { reader.error("\(what) names no domain", at: node.position) }
        return entries.compactMap { entry in
            guard case .sequence = entry.value.content else { return change(entry, &reader) }
            guard let domain = domain(entry.key, at: entry.keyPosition, &reader) else { return nil }
            return chain.read(entry.value, "`chain`", &reader).map { Change(domain: domain, chain: $0) }
        }
    }

    private static func change(_ entry: Node.Entry, _ reader: inout DocumentReader) -> Change? {
        guard let domain = domain(entry.key, at: entry.keyPosition, &reader) else { return nil }
        let what = "backend \(entry.key.quoted)"
        if case .mapping(let given) = entry.value.content, given.isEmpty {
            reader.error("there are no settings for \(what)", at: entry.keyPosition)
        }
        return fields.read(entry.value, what, from: Change(domain: domain), &reader)
    }

    /// The name of a domain in lower case; `nil` after noting an error.
    static func domain(_ text: String, at position: SourcePosition, _ reader: inout DocumentReader) -> String? {
        if APIDomain.isName(text) { return text.lowercased() }
        reader.error(ServiceError.invalidDomain(text), at: position)
        return nil
    }
}
