internal import PolicyEngine

/// The check whether an API domain presents a chain with one of its pins (R18.5; manual, Checking API Configuration).
enum ChainCheck: Hashable {
    /// The domain presents a chain and has no pins, so that any chain would be as good.
    case unpinned
    /// A certificate has this pin.
    case matched(String)
    /// No certificate has any of its pins.
    case unmatched
    /// The chain of the domain is not known.
    case unknown

    /// Checks a domain.
    init(of domain: APIDomain, _ chains: KnownChains) {
        guard let chain = chains[domain.name] else {
            self = .unknown
            return
        }
        guard !domain.pins.isEmpty else {
            self = .unpinned
            return
        }
        self = chain.match(of: domain.pins).map(Self.matched) ?? .unmatched
    }

    /// True if apps get through; an unknown chain does not count as valid.
    var isSound: Bool {
        switch self {
        case .unpinned, .matched: true
        case .unmatched, .unknown: false
        }
    }

    /// The output about a domain, in the words of the manual as far as it has some.
    func line(of domain: APIDomain) -> String {
        switch self {
        case .unpinned: "\(domain.name): no pins defined"
        case .matched(let pin): "\(domain.name): matched pin \(pin)"
        case .unmatched: "\(domain.name): no pin matches"
        case .unknown: "\(domain.name): not accessible, because its certificates are not known"
        }
    }
}
