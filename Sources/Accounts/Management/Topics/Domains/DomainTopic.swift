internal import Documents
package import PolicyEngine

/// The topic `api`: the API domains whose requests carry tokens (R14.2a).
package enum DomainTopic: ManagementTopic {
    /// `-add domain [options]`; it is unpinned where no pin is asked for, rather than found
    case add(APIDomain, isUnpinned: Bool = false)
    /// `-list`
    case list
    /// `-remove domain`
    case remove(String)
    /// `-getAll file`
    case getAll(file: String)
    /// `-setAll file`
    case setAll(file: String)

    static let name = "api"

    static let actions = [
        CommandAction(
            "-add", "domain",
            options: [
                CommandOption("-pinOnly"), CommandOption("-keySetKID", .text), CommandOption("-jwe"),
                CommandOption("-pinType", .text), CommandOption("-port", .text),
            ]
        ) { call throws(CommandError) in .domain(try addition(call)) },
        CommandAction("-list") { _ in .domain(.list) },
        CommandAction("-remove", "domain") { .domain(.remove($0.operand)) },
        CommandAction("-getAll", "file name") { .domain(.getAll(file: $0.operand)) },
        CommandAction("-setAll", "file name") { .domain(.setAll(file: $0.operand)) },
    ]

    // MARK: Parsing

    private static func addition(_ call: CommandInvocation) throws(CommandError) -> DomainTopic {
        let kinds = ["-pinOnly", "-keySetKID", "-jwe"].filter(call.has)
        guard kinds.count <= 1 else {
            throw CommandError("\(kinds[1].quoted) cannot go with \(kinds[0].quoted)")
        }
        let type = kind(of: call)
        let pinType: PinType? = try call.word("-pinType")
        let port = try call.value("-port").map(port) ?? Account.usualMonitorPort
        // Manual, API Monitoring: not where no pin was added, or one that was found locally.
        let isWatched = type != .restricted && pinType != PinType.none && pinType != .local
        let domain = APIDomain(
            name: call.operand, type: type, algorithm: algorithm(of: call, type: type),
            keyID: call.value("-keySetKID"), monitorPort: isWatched ? port : nil)
        return .add(domain, isUnpinned: pinType == PinType.none)
    }

    // From where the pin of a new domain would be taken. It takes a network, which there is none of here.
    private enum PinType: String, CaseIterable {
        case local, remote, none
    }

    /// Reads a port.
    static func port(_ text: String) throws(CommandError) -> Int {
        let limits = AccountLimits.ports
        guard let port = Int(text), String(port) == text, limits.contains(port) else {
            throw CommandError("\(text.quoted) is no port; there are \(limits.lowerBound) to \(limits.upperBound)")
        }
        return port
    }

    private static func kind(of call: CommandInvocation) -> APIDomain.Kind {
        if call.has("-pinOnly") { return .pinOnly }
        if call.has("-keySetKID") { return .keyset }
        // The manual's demonstration domain, whose keys are not the account's.
        return call.operand.lowercased() == "shapes.approov.io" ? .restricted : .account
    }

    // A key of the key set has its own.
    private static func algorithm(of call: CommandInvocation, type: APIDomain.Kind) -> String? {
        switch type {
        case .account: call.has("-jwe") ? APIDomain.encryptionAlgorithm : APIDomain.defaultAlgorithm
        case .restricted: APIDomain.defaultAlgorithm
        case .keyset, .pinOnly: nil
        }
    }

    // MARK: Requirements

    var changesAccount: Bool {
        switch self {
        case .add, .remove, .setAll: true
        case .list, .getAll: false
        }
    }

    var action: String {
        switch self {
        case .add: "-add"
        case .list: "-list"
        case .remove: "-remove"
        case .getAll: "-getAll"
        case .setAll: "-setAll"
        }
    }

    func confirmation(on account: Account) -> CommandConfirmation? {
        switch self {
        case .add: .impact(of: "adding the API")
        case .remove: .impact(of: "removing the API")
        case .setAll: .impact(of: "updating the APIs")
        case .list, .getAll: nil
        }
    }

    // MARK: Effect

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let domain, let isUnpinned): try Self.add(domain, isUnpinned: isUnpinned, to: &account, &effect)
        case .list: effect.printed = DomainText.list(account.apiDomains)
        case .remove(let name):
            try CommandError.wrapping { () throws(ServiceError) in try account.removeAPIDomain(named: name) }
            if account.apiDomains.isEmpty { effect.warn(AccountWarning.noDomains) }
            effect.reported = ["removed API domain \(name)"]
        case .getAll(let path):
            try effect.write(DomainJSON.text(of: account.apiDomains), to: path, isSecret: false, in: context)
            effect.reported = ["API domains and pins written to JSON file \(path)"]
        case .setAll(let path):
            let text = try context.text(ofFile: path, limit: Self.fileBytes)
            let domains = try DomainJSON.domains(of: text, file: path)
            try Self.checkPins(of: domains, account.apiDomains)
            try Self.set(domains, &account)
            if domains.isEmpty { effect.warn(AccountWarning.noDomains) }
            if let presented = context.presentedPins { Self.checkChains(of: domains, presented, &effect) }
            effect.reported = ["APIs set successfully"]
        }
    }

    private static func add(
        _ domain: APIDomain, isUnpinned: Bool, to account: inout Account, _ effect: inout CommandEffect
    ) throws(CommandError) {
        let servedAny = !account.listsAPIDomains
        var domain = domain
        if domain.type == .keyset {
            domain.algorithm = try algorithm(ofKey: domain.keyID ?? "", account, &effect)
        }
        try CommandError.wrapping { [domain] () throws(ServiceError) in try account.append(domain) }
        if servedAny { effect.warn("from now on only \(domain.name.quoted) is served; before, every domain was") }
        effect.reported = DomainText.addition(of: domain, isUnpinned: isUnpinned)
    }

    // The key says the algorithm. Without a key set nobody knows: a simulation needs no keys.
    private static func algorithm(
        ofKey id: String, _ account: Account, _ effect: inout CommandEffect
    ) throws(CommandError) -> String? {
        guard !account.keys.keySet.isListed else {
            return try KeySetTopic.key(id, of: account).algorithm.rawValue
        }
        effect.warn("nothing is said of a key set, so key \(id.quoted) is taken to be there")
        return nil
    }

    // Manual, Setting All API Configuration: each domain with the pin that its chain has.
    private static func checkChains(
        of domains: [APIDomain], _ presentedPins: (String) -> [String], _ effect: inout CommandEffect
    ) {
        var isSound = true
        for domain in domains where !domain.holdsManagedRoots {
            let presented = presentedPins(domain.name)
            let matched = domain.pins.first(where: presented.contains)
            isSound = isSound && (domain.pins.isEmpty || matched != nil)
            let text = domain.pins.isEmpty ? "no pins defined" : matched.map { "matched pin \($0)" }
            effect.printed.append("\(domain.name): \(text ?? "no pin matches")")
        }
        if !isSound { effect.confirmation?.cautions.append(chainProblem) }
    }

    private static let chainProblem =
        "problem detected with APIs, we do not recommend you proceed (unless caused by known local firewall issue)"

    // How many bytes a file of domains may have.
    private static let fileBytes = 1 << 20

    // Manual: any attempt to change the pins for the demonstration endpoint causes an error. Where they are not known,
    // as after `api -add`, the file says them.
    private static func checkPins(of domains: [APIDomain], _ known: [APIDomain]) throws(CommandError) {
        for domain in domains where domain.type == .restricted {
            let before = known.first { $0.isNamed(domain.name) }
            guard let before, !before.pins.isEmpty, before.pins != domain.pins else { continue }
            throw CommandError("the pins of \(domain.name.quoted) cannot be changed; they are managed for the account")
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

    // Whether tokens can be made for a domain, if there are to be any; without a key set, keys are taken to be there.
    private static func checkKey(of domain: APIDomain, in account: Account) throws(CommandError) {
        if domain.type == .keyset, !account.keys.keySet.isListed { return }
        do throws(TokenIssueError) {
            _ = try account.tokenKey(for: domain)
        } catch .unprotected {
            return
        } catch {
            throw CommandError(error)
        }
    }
}

/// API domains in the words of the manual (Managing API Domains, Pinning For New API Domains).
private enum DomainText {
    /// What `api -list` prints.
    static func list(_ domains: [APIDomain]) -> [String] {
        let rows = domains.map { domain in
            (domain.name, (attributes(of: domain) + monitoring(of: domain)).joined(separator: ", "))
        }
        return [ListText.heading(domains.count, "API domain", "API domains")] + ListText.columns(rows)
    }

    /// What `api -add` prints once it is confirmed. The pin is left out where it is not known: it would come from the
    /// network.
    ///
    /// - Parameter isUnpinned: Whether no pin was asked for.
    static func addition(of domain: APIDomain, isUnpinned: Bool) -> [String] {
        let pins = domain.pins.map { "pin:\($0)" }
        let attributes = (attributes(of: domain) + (isUnpinned ? ["unpinned"] : pins)).joined(separator: ", ")
        let added = "added new API domain \(domain.name) with \(attributes)"
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
