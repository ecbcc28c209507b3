internal import PolicyEngine

extension ManagementCommand {
    /// Carries out a command of the topics `devicecheck`, `safetynet`, `appsigncert`, `registration` and `api`.
    func applyToServices(
        of account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .addAuthKey(let options): try addAuthKey(options, &account)
        case .removeAuthKey: try removeAuthKey(&account)
        case .setSafetyNetKey(let key):
            let quota = account.safetyNet?.dailyQuota ?? SafetyNetSettings.defaultDailyQuota
            account.safetyNet = SafetyNetSettings(apiKey: key, dailyQuota: quota)
        case .removeSafetyNetKey:
            guard account.safetyNet?.apiKey != nil else { throw CommandError("there is no SafetyNet API key") }
            account.safetyNet?.apiKey = nil
        case .addCertificate(let text):
            let fingerprint = try fingerprint(of: text, in: context)
            try refusing { () throws(ServiceError) in try account.addAppSigningCertificate(fingerprint) }
        case .removeCertificate(let text):
            try refusing { () throws(ServiceError) in try account.removeAppSigningCertificate(text) }
        case .listRegistrations: effect.printed = RegistrationText.list(account.registrations ?? [], at: context.time)
        case .removeRegistration(let text):
            try refusing { () throws(ServiceError) in try account.removeRegistration(text, at: context.time) }
        case .removeRegistrations(let package, let age):
            effect.printed = try removeRegistrations(of: package, age: age, from: &account, in: context)
        case .addDomain(let domain): try add(domain, to: &account, &effect)
        case .removeDomain(let name):
            try refusing { () throws(ServiceError) in try account.removeAPIDomain(named: name) }
            if account.apiDomains.isEmpty { effect.warn("without any API domain in the account, every one is served") }
        default: break
        }
    }

    private func addAuthKey(_ options: AuthKeyOptions, _ account: inout Account) throws(CommandError) {
        guard options.teamID != nil || account.deviceCheck?.teamID != nil else {
            throw CommandError("`-addAuthKey` needs `-teamID`", hint: "the team ID stands in the developer account")
        }
        account.addAuthKey(options.keyID, teamID: options.teamID, bits: options.bits, expiry: options.expiry)
    }

    private func removeAuthKey(_ account: inout Account) throws(CommandError) {
        guard account.deviceCheck?.keyID != nil else { throw CommandError("there is no DeviceCheck key") }
        account.removeAuthKey()
    }

    // The fingerprint itself, or the file of a certificate.
    private func fingerprint(of text: String, in context: CommandContext) throws(CommandError) -> String {
        if Account.shortenedFingerprint(text) != nil { return text }
        let path = text.hasPrefix("/") ? text : context.folder + text
        do throws(FileFailure) {
            return AppSigningCertificate.fingerprint(of: try TextFile.bytes(path: path))
        } catch {
            throw CommandError("certificate \(path.quoted): \(error)", hint: "a fingerprint will do as well")
        }
    }

    private func removeRegistrations(
        of package: String, age: Int, from account: inout Account, in context: CommandContext
    ) throws(CommandError) -> [String] {
        guard let time = context.time else {
            throw CommandError("`-removeMatching` needs to know the time, which there is in scenarios only")
        }
        let removed = account.removeRegistrations(ofPackage: package, olderThan: age, at: time)
        guard !removed.isEmpty else {
            throw CommandError("no registration of \(package.quoted) is \(DurationText.print(age)) old")
        }
        return RegistrationText.removal(of: removed)
    }

    private func add(
        _ domain: APIDomain, to account: inout Account, _ effect: inout CommandEffect
    ) throws(CommandError) {
        let servedAny = account.apiDomains.isEmpty
        try refusing { () throws(ServiceError) in try account.append(domain) }
        if servedAny { effect.warn("from now on only \(domain.name.quoted) is served; before, every domain was") }
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
