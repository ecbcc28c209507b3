internal import PolicyEngine

extension DomainsCommand {
    /// How many bytes a file of domains may have.
    private static let fileBytes = 1 << 20

    /// Carries the command out.
    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .getAll(let path):
            try effect.write(DomainJSON.text(of: account.apiDomains), to: path, isSecret: false, in: context)
            effect.reported = ["API domains and pins written to JSON file \(path)"]
        case .setAll(let path):
            let text = try context.text(ofFile: path, limit: Self.fileBytes)
            let domains = try DomainJSON.domains(of: text, file: path)
            try Self.checkPins(of: domains, account.apiDomains)
            try Self.set(domains, &account)
            if domains.isEmpty { effect.warn(AccountWarning.noDomains) }
            effect.reported = ["APIs set successfully"]
        }
    }

    // Manual: any attempt to change the pins for the demonstration endpoint causes an error.
    private static func checkPins(of domains: [APIDomain], _ known: [APIDomain]) throws(CommandError) {
        for domain in domains where domain.type == .restricted {
            let before = known.first { $0.isNamed(domain.name) }
            guard let before, before.pins != domain.pins else { continue }
            throw CommandError("the pins of \(domain.name.quoted) cannot be changed; they are managed for the account")
        }
    }

    // Domains that stay keep their places; so the file of the account changes where it has to.
    private static func set(_ domains: [APIDomain], _ account: inout Account) throws(CommandError) {
        var new = account
        new.listAPIDomains()
        for domain in account.apiDomains {
            try refusing { () throws(ServiceError) in try new.removeAPIDomain(named: domain.name) }
        }
        let places = account.apiDomains.map(\.name)
        let place = { (domain: APIDomain) in places.firstIndex(of: domain.name) ?? places.count }
        for domain in domains.enumerated().sorted(by: { (place($0.1), $0.0) < (place($1.1), $1.0) }).map(\.element) {
            try ManagementCommand.check(domain, of: account)
            try refusing { () throws(ServiceError) in try new.append(domain) }
        }
        account = new
    }

    private static func refusing(_ change: () throws(ServiceError) -> Void) throws(CommandError) {
        do throws(ServiceError) {
            try change()
        } catch {
            throw CommandError(error.description)
        }
    }
}
