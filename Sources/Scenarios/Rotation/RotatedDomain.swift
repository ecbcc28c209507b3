internal import Accounts
internal import PolicyEngine

/// An API domain whose certificates change: the chain that its backend presents, and the pins that apply to it.
struct RotatedDomain {
    let domain: APIDomain
    let chain: KeyChain
    private let account: Account

    /// - Returns: `nil` where no backend of the scenario says the chain.
    init?(_ domain: APIDomain, of account: Account, _ backends: Backends) {
        let host = domain.name.lowercased()
        guard !domain.holdsManagedRoots, backends.saysChain(of: host) else { return nil }
        (self.domain, self.account, chain) = (domain, account, backends[host].chain)
    }

    var host: String { domain.name.lowercased() }

    /// The change of its certificates by a rotation; `nil` where the chain has no certificate that would change.
    func change(by rotation: Rotation) -> Change? {
        let backup = domain.pins.first { !chain.pins.contains($0) }
        let known = Set(account.apiDomains.flatMap(\.pins) + chain.pins)
        func fresh(_ word: String) -> String {
            let names = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? word : "\(word)-\($0)" }
            return names.first { !known.contains(PublicKeyPin.pin(ofKeyNamed: $0)) } ?? word
        }
        guard let keys = rotation.chain(after: chain.keys, backup: backup, fresh: fresh) else { return nil }
        let new = KeyChain(keys)
        return Change(
            chain: new, match: match(in: new), isPinned: applied(presenting: new) != nil,
            commands: commands(after: rotation, presenting: new))
    }

    /// A change of certificates, as pins meet it.
    struct Change {
        let chain: KeyChain
        /// The first of the pins that a certificate of the chain has; `nil` where there is none.
        let match: String?
        /// True if pins apply to the domain.
        let isPinned: Bool
        /// The management commands by which the account is made to fit.
        let commands: [ManagementCommand]
    }

    private func applied(presenting chain: KeyChain) -> PinConfiguration.Applied? {
        PinConfiguration(account).applied(to: host, presenting: chain.pins, mode: .pin, usingRoots: true)
    }

    private func match(in chain: KeyChain) -> String? {
        applied(presenting: chain)?.pins.first(where: chain.pins.contains)
    }

    // The pins of a managed domain follow its chain (R18.2a), and a domain without pins needs none.
    private func commands(after rotation: Rotation, presenting new: KeyChain) -> [ManagementCommand] {
        guard domain.type != .restricted, applied(presenting: new) != nil else { return [] }
        let stolen = rotation == .stolenKey ? domain.pins.first { $0 == chain.pins.first } : nil
        let kept = domain.pins.filter { $0 != stolen }
        let fits = kept.contains(where: new.pins.contains) || (domain.pins.isEmpty && match(in: new) != nil)
        func command(_ action: String, _ pin: String) -> ManagementCommand? {
            try? ManagementCommand(words: ["pin", "-api", domain.name, action, pin])
        }
        let leaf = PublicKeyPin.isPin(new.keys[0]) ? new.keys[0] : "key:\(new.keys[0])"
        let added = fits ? nil : command("-add", leaf)
        // A domain has a highest number of pins (R18.1), and without one it would take any certificate.
        let isFull = domain.pins.count >= AccountLimits.pinsPerDomain
        let spare = kept.last { !chain.pins.contains($0) && !new.pins.contains($0) }
        let removed = (stolen ?? (isFull && !fits ? spare : nil)).flatMap { command("-remove", $0) }
        return (isFull ? [removed, added] : [added, removed]).compactMap(\.self)
    }
}
