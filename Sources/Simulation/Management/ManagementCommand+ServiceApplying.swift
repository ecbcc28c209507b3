internal import PolicyEngine

extension ManagementCommand {
    /// Carries out a command of the topics `devicecheck`, `safetynet`, `appsigncert`, `registration` and `api`.
    func applyToServices(
        of account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .addAuthKey, .removeAuthKey, .setSafetyNetKey, .removeSafetyNetKey:
            try applyToKeys(of: &account, &effect)
        case .addCertificate(let text): try addCertificate(text, to: &account, in: context, &effect)
        case .removeCertificate(let text):
            try refusing { () throws(ServiceError) in try account.removeAppSigningCertificate(text) }
            let fingerprint = Account.shortenedFingerprint(text) ?? text
            effect.reported = [
                "successfully removed app signing certificate with fingerprint \(fingerprint)"
            ]
        case .removeRegistration(let text):
            try refusing { () throws(ServiceError) in try account.removeRegistration(text, at: context.time) }
            effect.reported = ["app registration \(text) has been removed"]
        case .removeRegistrations(let package, let age):
            try removeRegistrations(of: package, age: age, from: &account, in: context, &effect)
        case .addDomain(let domain): try add(domain, to: &account, &effect)
        case .removeDomain(let name):
            try refusing { () throws(ServiceError) in try account.removeAPIDomain(named: name) }
            if account.apiDomains.isEmpty { effect.warn(AccountWarning.noDomains) }
            effect.reported = ["removed API domain \(name)"]
        default: break
        }
    }

    private func applyToKeys(of account: inout Account, _ effect: inout CommandEffect) throws(CommandError) {
        switch self {
        case .addAuthKey(let options):
            try addAuthKey(options, &account)
            effect.reported = ["device check information added"]
        case .removeAuthKey:
            guard account.deviceCheck?.keyID != nil else { throw CommandError("there is no DeviceCheck key") }
            account.removeAuthKey()
            effect.reported = ["device check information removed"]
        case .setSafetyNetKey(let key):
            account.setSafetyNetKey(key)
            effect.reported = ["safetynet API key set"]
        case .removeSafetyNetKey:
            guard account.safetyNet?.apiKey != nil else { throw CommandError("there is no SafetyNet API key") }
            account.safetyNet?.apiKey = nil
            effect.reported = ["safetynet information removed"]
        default: break
        }
    }

    private func addAuthKey(_ options: AuthKeyOptions, _ account: inout Account) throws(CommandError) {
        guard options.teamID != nil || account.deviceCheck?.teamID != nil else {
            throw CommandError("`-addAuthKey` needs `-teamID`", hint: "the team ID stands in the developer account")
        }
        account.addAuthKey(options.keyID, teamID: options.teamID, bits: options.bits, expiry: options.expiry)
    }

    private func addCertificate(
        _ text: String, to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        let certificate = try certificate(text, in: context)
        try refusing { () throws(ServiceError) in try account.append(certificate) }
        effect.reported =
            account.certificates.last.map {
                ["successfully added \(CertificateText.text(of: $0))"]
            } ?? []
    }

    // The fingerprint itself, or the file of a certificate.
    private func certificate(_ text: String, in context: CommandContext) throws(CommandError) -> AppSigningCertificate {
        if Account.shortenedFingerprint(text) != nil { return AppSigningCertificate(fingerprint: text) }
        let path = text.hasPrefix("/") ? text : context.folder + text
        do throws(FileFailure) {
            if let certificate = AppSigningCertificate(der: try TextFile.bytes(path: path)) { return certificate }
        } catch {
            throw CommandError("certificate \(path.quoted): \(error)", hint: "a fingerprint will do as well")
        }
        throw CommandError("\(path.quoted) is no certificate in DER", hint: "a fingerprint will do as well")
    }

    private func removeRegistrations(
        of package: String, age: Int, from account: inout Account, in context: CommandContext,
        _ effect: inout CommandEffect
    ) throws(CommandError) {
        guard let time = context.time else {
            throw CommandError(
                "`-removeMatching` needs to know the time",
                hint: "a scenario knows it; `--at` tells it to `scenario approov`")
        }
        let removed = account.removeRegistrations(ofPackage: package, olderThan: age, at: time)
        guard !removed.isEmpty else {
            throw CommandError("no registration of \(package.quoted) is \(DurationText.print(age)) old")
        }
        effect.confirmation?.matches = RegistrationText.matches(removed)
        effect.reported = removed.map { "removing \($0.overallSignature)" }
    }

    private func add(
        _ domain: APIDomain, to account: inout Account, _ effect: inout CommandEffect
    ) throws(CommandError) {
        let servedAny = !account.listsAPIDomains
        var domain = domain
        if domain.type == .keyset {
            domain.algorithm = try algorithm(ofKey: domain.keyID ?? "", account, &effect)
        }
        try refusing { () throws(ServiceError) in try account.append(domain) }
        if servedAny { effect.warn("from now on only \(domain.name.quoted) is served; before, every domain was") }
        effect.reported = DomainText.addition(of: domain)
    }

    // The key says the algorithm. Without a key set nobody knows: a simulation needs no keys.
    private func algorithm(
        ofKey id: String, _ account: Account, _ effect: inout CommandEffect
    ) throws(CommandError) -> String? {
        guard !account.keys.keySet.isListed else {
            return try KeySetCommand.key(id, of: account).algorithm.rawValue
        }
        effect.warn("nothing is said of a key set, so key \(id.quoted) is taken to be there")
        return nil
    }

    /// Checks that tokens can be made for a domain, if there are to be any; without a key set, keys are taken to be there.
    static func check(_ domain: APIDomain, of account: Account) throws(CommandError) {
        if domain.type == .keyset, !account.keys.keySet.isListed { return }
        do throws(TokenIssueError) {
            _ = try account.tokenKey(for: domain)
        } catch .unprotected {
            return
        } catch {
            throw CommandError(error.description)
        }
    }

    private func refusing(_ change: () throws(ServiceError) -> Void) throws(CommandError) {
        do throws(ServiceError) {
            try change()
        } catch {
            throw CommandError(
                error.description, hint: error.choice.flatMap { Suggestion.hint(for: $0.wrong, among: $0.known) })
        }
    }
}
