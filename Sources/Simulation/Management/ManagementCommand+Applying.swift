package import PolicyEngine

extension ManagementCommand {
    /// Carries a command out on an account.
    ///
    /// - Parameters:
    ///   - account: Changed unless an error is thrown.
    ///   - context: What else there is to know.
    /// - Returns: What it came to beside the change.
    /// - Throws: ``CommandError`` for what the service would refuse.
    package func apply(
        to account: inout Account, in context: CommandContext
    ) throws(CommandError) -> CommandEffect {
        var effect = CommandEffect()
        switch self {
        case .setPolicy(let text): try setPolicy(text, &account, &effect)
        case .addRejectFlag(let name):
            account.policy.rejection.addRejectFlag(try Self.flag(name, account))
            effect.warn(AccountWarning.customBase(of: account.policy.rejection))
        case .removeRejectFlag(let name):
            account.policy.rejection.removeRejectFlag(try Self.flag(name, account))
            effect.warn(AccountWarning.customBase(of: account.policy.rejection))
        case .setResponseCode(let isOn): account.isResponseCodeOn = isOn
        case .addDevice(let target, let options):
            try addDevice(try Self.id(of: target, latest: context.latest), options, &account, &effect)
        case .removeDevice(let id): try Self.refusing { () throws(DeviceError) in try account.removeDevice(id) }
        case .clearDeviceState: effect.clearsDeviceState = true
        case .addFilter(let filter): try addFilter(filter, &account)
        case .removeFilter(let name): try removeFilter(name, &account)
        case .setSamplingPercentage(let percentage): account.samplingPercentage = percentage
        case .query(let query): effect.query = query
        case .addAuthKey, .removeAuthKey, .setSafetyNetKey, .removeSafetyNetKey, .addCertificate, .removeCertificate,
            .listRegistrations, .removeRegistration, .removeRegistrations, .addDomain, .removeDomain:
            try applyToServices(of: &account, in: context, &effect)
        }
        return effect
    }

    private func setPolicy(_ text: String, _ account: inout Account, _ effect: inout CommandEffect) throws(CommandError)
    {
        let unchanged = account
        account.policy = try Self.policy { () throws(PolicyError) in try unchanged.securityPolicy(text) }
        if account.policy.annotation.tellsEverything { effect.warn(AccountWarning.annotatesEverything) }
        if let entry = account.filteredPolicyEntry { effect.warn(AccountWarning.filteredPolicy(entry, of: account)) }
    }

    private func addDevice(
        _ id: DeviceID, _ options: DeviceOptions, _ account: inout Account, _ effect: inout CommandEffect
    ) throws(CommandError) {
        var entry = DeviceEntry(
            id: id, label: options.label, pinMode: options.pinMode, banMode: options.banMode,
            probeURL: options.probeURL)
        if let text = options.policy {
            let unchanged = account
            entry.policy = try Self.policy { () throws(PolicyError) in
                try id.isFilteredPolicy ? unchanged.filteredSecurityPolicy(text) : unchanged.securityPolicy(text)
            }
        }
        try Self.refusing { () throws(DeviceError) in try account.set(entry) }
        effect.warn(AccountWarning.filteredPolicy(entry, of: account))
    }

    private func addFilter(_ filter: Filter, _ account: inout Account) throws(CommandError) {
        do throws(FilterError) {
            try account.set(filter)
        } catch {
            var hint = error.hint
            if case .missingInput(let input, _, let known) = error { hint = Suggestion.hint(for: input, among: known) }
            throw CommandError(error.description, hint: hint)
        }
    }

    private func removeFilter(_ name: String, _ account: inout Account) throws(CommandError) {
        do throws(FilterError) {
            try account.removeFilter(named: name)
        } catch {
            var hint: String?
            if case .unknown(let name, let known) = error { hint = Suggestion.hint(for: name, among: known) }
            throw CommandError(error.description, hint: hint)
        }
    }

    private static func flag(_ name: String, _ account: Account) throws(CommandError) -> Flag {
        if let flag = account.catalogue.namedFlag(name) { return flag }
        throw CommandError(
            "unknown flag \(name.quoted)", hint: Suggestion.hint(for: name, among: account.catalogue.declaredNames))
    }

    private static func policy(_ read: () throws(PolicyError) -> SecurityPolicy) throws(CommandError) -> SecurityPolicy
    {
        do throws(PolicyError) {
            return try read()
        } catch {
            throw CommandError(
                error.description, hint: error.choice.flatMap { Suggestion.hint(for: $0.wrong, among: $0.known) })
        }
    }

    private static func refusing(_ change: () throws(DeviceError) -> Void) throws(CommandError) {
        do throws(DeviceError) {
            try change()
        } catch {
            throw CommandError(error.description)
        }
    }

    // R6.2.
    private static func id(of target: DeviceTarget, latest: () -> [DeviceID]) throws(CommandError) -> DeviceID {
        if case .id(let id) = target { return id }
        let devices = latest()
        guard let device = devices.first else {
            throw CommandError("no device attested in the last two minutes, so there is no `latest`")
        }
        guard devices.count == 1 else {
            throw CommandError("\(devices.count) devices attested in the last two minutes, so `latest` is not one")
        }
        return device
    }
}

extension CommandEffect {
    mutating func warn(_ warning: String?) {
        if let warning { warnings.append(warning) }
    }
}
