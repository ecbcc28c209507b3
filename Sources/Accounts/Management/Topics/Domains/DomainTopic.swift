internal import Documents
internal import PolicyEngine

/// The topic `api`: the API domains whose requests carry tokens (R14.2a).
package enum DomainTopic: ManagementTopic {
    case add(DomainAddition)
    case list
    case remove(String)
    case check
    case getAll(file: String)
    case setAll(file: String)

    static let name = "api"

    static let actions: [CommandAction] = [
        action(
            "-add", "domain", for: .developers, changes: true, impact: "adding the API", options: DomainAddition.options
        ) { call throws(CommandError) in
            .add(try DomainAddition(call))
        },
        action("-list", for: .builders) { _ in .list },
        action("-remove", "domain", for: .admins, changes: true, impact: "removing the API") { .remove($0.operand) },
        action("-check", for: .builders) { _ in .check },
        action("-getAll", "file name", for: .builders) { .getAll(file: $0.operand) },
        action("-setAll", "file name", for: .admins, changes: true, impact: "updating the APIs") {
            .setAll(file: $0.operand)
        },
    ]

    /// Reads a port.
    static func port(_ text: String) throws(CommandError) -> Int {
        let limits = AccountLimits.ports
        guard let port = Int(text), String(port) == text, limits.contains(port) else {
            throw CommandError("\(text.quoted) is not a port; ports are \(limits.lowerBound) to \(limits.upperBound)")
        }
        return port
    }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let addition): try addition.apply(to: &account, in: context, &effect)
        case .list: effect.printed = DomainText.list(account.apiDomains)
        case .remove(let name):
            try CommandError.wrapping { () throws(ServiceError) in try account.removeAPIDomain(named: name) }
            if account.apiDomains.isEmpty { effect.warn(AccountWarning.noDomains) }
            effect.reported = ["removed API domain \(name)"]
        case .check: Self.check(account.apiDomains, context.chains, &effect)
        case .getAll(let path):
            try effect.write(DomainJSON.text(of: account.apiDomains), to: path, isSecret: false, in: context)
            effect.reported = ["API domains and pins written to JSON file \(path)"]
        case .setAll(let path):
            let text = try context.text(ofFile: path, limit: Self.fileBytes)
            let domains = try DomainJSON.domains(of: text, file: path)
            try Self.checkPins(of: domains, account.apiDomains, context.chains)
            try Self.set(domains, &account)
            if domains.isEmpty { effect.warn(AccountWarning.noDomains) }
            Self.warnOfChains(of: domains, context.chains, &effect)
            effect.reported = ["APIs set successfully"]
        }
    }

    // Manual, Checking API Configuration. A domain that cannot be checked is no success.
    private static func check(_ domains: [APIDomain], _ chains: KnownChains, _ effect: inout CommandEffect) {
        for domain in domains where !domain.holdsManagedRoots {
            let result = ChainCheck(of: domain, chains)
            effect.printed.append(result.line(of: domain))
            effect.failsCheck = effect.failsCheck || !result.isSound
        }
    }

    // Manual, Setting All API Configuration: each domain with the pin that its chain has, where that is known.
    private static func warnOfChains(
        of domains: [APIDomain], _ chains: KnownChains, _ effect: inout CommandEffect
    ) {
        var isSound = true
        for domain in domains where !domain.holdsManagedRoots {
            let result = ChainCheck(of: domain, chains)
            if result == .unknown { continue }
            effect.printed.append(result.line(of: domain))
            isSound = isSound && result.isSound
        }
        if !isSound { effect.confirmation?.cautions.append(chainProblem) }
    }

    private static let chainProblem =
        "problem detected with APIs, we do not recommend you proceed (unless caused by known local firewall issue)"

    // The highest number of bytes of a file of domains.
    private static let fileBytes = 1 << 20

    // R18.2a; manual: any attempt to change the pins for the demonstration endpoint causes an error. A file may say them as the
    // account lists them, or as the domain presents them.
    private static func checkPins(
        of domains: [APIDomain], _ known: [APIDomain], _ chains: KnownChains
    ) throws(CommandError) {
        for domain in domains where domain.type == .restricted {
            let listed = known.first { $0.isNamed(domain.name) }?.pins ?? []
            let presented = try? chains.chain(of: domain.name, seenBy: .remote)
            guard domain.pins != listed, domain.pins != presented.map({ [$0.leaf.pin] }) else { continue }
            throw CommandError(ServiceError.managedPins(domain: domain.name))
        }
    }

    // Domains that stay keep their order; so the file of the account changes where it has to.
    private static func set(_ domains: [APIDomain], _ account: inout Account) throws(CommandError) {
        var new = account
        new.listAPIDomains()
        for domain in account.apiDomains {
            try CommandError.wrapping { () throws(ServiceError) in try new.removeAPIDomain(named: domain.name) }
        }
        let names = account.apiDomains.map(\.name)
        let rank = { (domain: APIDomain) in names.firstIndex(of: domain.name) ?? names.count }
        for domain in domains.enumerated().sorted(by: { (rank($0.1), $0.0) < (rank($1.1), $1.0) }).map(\.element) {
            try checkKey(of: domain, in: account)
            try CommandError.wrapping { () throws(ServiceError) in try new.append(domain) }
        }
        account = new
    }

    // Throws if no tokens can be made for a domain that needs them.
    private static func checkKey(of domain: APIDomain, in account: Account) throws(CommandError) {
        do throws(TokenIssueError) {
            _ = try account.tokenKey(for: domain)
        } catch .unprotected {
            return
        } catch {
            throw CommandError(error, hint: domain.type == .keyset ? KeySetTopic.hint(on: account) : nil)
        }
    }
}

/// The check whether an API domain presents a chain with one of its pins (R18.5; manual, Checking API Configuration).
enum ChainCheck: Hashable {
    /// The domain presents a chain and has no pins, so that any chain would be as good.
    case unpinned
    /// A certificate has this pin.
    case matched(String)
    /// No certificate has any of its pins.
    case unmatched
    /// The domain does not answer.
    case silent
    /// The chain of the domain is not known.
    case unknown

    /// Checks a domain.
    init(of domain: APIDomain, _ chains: KnownChains) {
        let found: PresentedChain?
        do throws(CommandError) {
            found = try chains.chain(of: domain.name, seenBy: .local)
        } catch {
            self = .silent
            return
        }
        guard let chain = found else {
            self = .unknown
            return
        }
        // R18.2a: managed pins follow the chain, as the service finds it.
        guard domain.type != .restricted else {
            let remote = try? chains.chain(of: domain.name, seenBy: .remote)
            self = remote.flatMap { chain.match(of: [$0.leaf.pin]) }.map(Self.matched) ?? .unmatched
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
        case .unmatched, .silent, .unknown: false
        }
    }

    /// The output about a domain, in the words of the manual as far as it has some.
    func line(of domain: APIDomain) -> String {
        switch self {
        case .unpinned: "\(domain.name): no pins defined"
        case .matched(let pin): "\(domain.name): matched pin \(pin)"
        case .unmatched: "\(domain.name): no pin matches"
        case .silent: "\(domain.name): not accessible"
        case .unknown: "\(domain.name): not accessible, because its certificates are not known"
        }
    }
}

/// API domains in the words of the manual (Managing API Domains, Pinning For New API Domains).
enum DomainText {
    /// The output of `api -list`.
    static func list(_ domains: [APIDomain]) -> [String] {
        let rows = domains.map { domain in
            (domain.name, (attributes(of: domain) + monitoring(of: domain)).joined(separator: ", "))
        }
        return [ListText.heading(domains.count, "API domain", "API domains")] + ListText.columns(rows)
    }

    /// The output of `api -add` once it is confirmed. The pins of a managed domain are not shown.
    static func addition(of domain: APIDomain) -> [String] {
        let pins = domain.pins.isEmpty ? ["unpinned"] : domain.pins.map { "pin:\($0)" }
        let shown = attributes(of: domain) + (domain.type == .restricted ? [] : pins)
        let added = "added new API domain \(domain.name) with \(shown.joined(separator: ", "))"
        guard let port = domain.monitorPort else { return [added] }
        let remove = "(remove using `approov monitoring -removeAPI`)"
        return [added, "enabled continuous monitoring for https://\(domain.name):\(port) \(remove)"]
    }

    private static func attributes(of domain: APIDomain) -> [String] {
        let algorithm = domain.tokenAlgorithm.map { ["alg:\($0)"] } ?? []
        let keyID = domain.keyID.map { ["kid:\($0)"] } ?? []
        return ["type:\(domain.type.rawValue)"] + algorithm + keyID
    }

    private static func monitoring(of domain: APIDomain) -> [String] {
        domain.monitorPort.map { ["monitorPort:\($0)"] } ?? []
    }
}
