internal import PolicyEngine

/// The owner of the pins that apply.
package enum PinOrigin: Hashable, Sendable {
    /// The host.
    case host
    /// The managed trust roots.
    case managedRoots
    /// The pin mode of the device's entry, by which one applies that no certificate has.
    case blocking
    /// The app, into which they are built.
    case app
}

/// The pins of one revision of the configuration (R18.2, R18.3).
struct PinConfiguration: Hashable, Sendable {
    // The pins by the domain's name in lower case, since names of domains have no case; without `*`.
    private let domains: [ExactText: Pins]
    private let managedRoots: [String]

    private enum Pins: Hashable, Sendable {
        case listed([String])
        /// The pins of the chain that the domain presents (R18.2a).
        case managed
    }

    /// No pins.
    static let none = PinConfiguration(domains: [:], managedRoots: [])

    private init(domains: [ExactText: Pins], managedRoots: [String]) {
        (self.domains, self.managedRoots) = (domains, managedRoots)
    }

    /// The pins of an account.
    init(_ account: Account) {
        let named = account.apiDomains.filter { !$0.holdsManagedRoots }.map { domain in
            (ExactText(domain.name.lowercased()), domain.type == .restricted ? .managed : Pins.listed(domain.pins))
        }
        domains = Dictionary(named) { first, _ in first }
        managedRoots = account.apiDomains.first(where: \.holdsManagedRoots)?.pins ?? []
    }

    /// Which pins apply to a host, and whose they are.
    struct Applied: Hashable, Sendable {
        let pins: [String]
        let origin: PinOrigin
        /// True if the host has a list of its own, which is empty.
        var replacesEmptyList = false
    }

    /// The pins that apply to a host.
    ///
    /// - Parameters:
    ///   - host: In lower case.
    ///   - presented: The pins of the chain that its backend presents.
    ///   - mode: The pin mode of the device's entry (R18.3).
    ///   - usesRoots: True if the app looks for managed trust roots (R18.5).
    /// - Returns: `nil` where none apply.
    /// - Complexity: O(1).
    func applied(
        to host: String, presenting presented: [String], mode: PinMode, usingRoots usesRoots: Bool
    ) -> Applied? {
        if mode == .unpin { return nil }
        let own: [String]? =
            switch domains[ExactText(host)] {
            case .listed(let pins)?: pins
            case .managed?: presented
            case nil: nil
            }
        let blocks = mode == .block || mode == .blockAll
        if let own, !own.isEmpty || mode == .blockAll {
            return blocks ? Self.blocking : Applied(pins: own, origin: .host)
        }
        guard usesRoots, !managedRoots.isEmpty else { return nil }
        if blocks { return Self.blocking }
        return Applied(pins: managedRoots, origin: .managedRoots, replacesEmptyList: own != nil)
    }

    // Nothing in a chain is the empty text.
    private static let blocking = Applied(pins: [""], origin: .blocking)
}
