package import PolicyEngine

extension ManagementCommand {
    /// Carries a command out on an account, as if it were confirmed.
    ///
    /// - Parameters:
    ///   - account: Changed unless an error is thrown.
    ///   - context: What else there is to know.
    /// - Returns: What it came to beside the change, and what has to be confirmed for it.
    /// - Throws: ``CommandError`` for what the service would refuse.
    package func apply(
        to account: inout Account, in context: CommandContext
    ) throws(CommandError) -> CommandEffect {
        try checkRole(in: context, on: account)
        var effect = CommandEffect()
        effect.confirmation = confirmation(on: account)
        switch self {
        case .setPolicy, .addRejectFlag, .removeRejectFlag, .setResponseCode, .setIPTracking, .setAudience, .setIssuer,
            .setPinningTestURL:
            try applyToPolicies(of: &account, &effect)
        case .addDevice, .removeDevice, .removeDevices, .clearDeviceState:
            try applyToDevices(of: &account, in: context, &effect)
        case .addFilter, .removeFilter, .setSamplingPercentage: try applyToFilters(of: &account, &effect)
        case .question(let question): effect.printed = question.answer(of: account, at: context.time)
        case .query(let query): effect.query = query
        case .addAuthKey, .removeAuthKey, .setSafetyNetKey, .removeSafetyNetKey, .addCertificate, .removeCertificate,
            .addRegistration, .removeRegistration, .removeRegistrations, .addDomain, .removeDomain:
            try applyToServices(of: &account, in: context, &effect)
        case .domains(let command): try command.apply(to: &account, in: context, &effect)
        case .token(let command): try command.apply(to: account, in: context, &effect)
        case .secret(let command): try command.apply(to: &account, in: context, &effect)
        case .keySet(let command): try command.apply(to: &account, in: context, &effect)
        }
        return effect
    }
}

extension CommandEffect {
    /// Notes a warning, if there is one.
    mutating func warn(_ warning: String?) {
        if let warning { warnings.append(warning) }
    }
}
