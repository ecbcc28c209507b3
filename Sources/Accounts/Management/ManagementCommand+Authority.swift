internal import PolicyEngine

extension ManagementCommand {
    /// Checks that a role may carry the command out (manual, User Roles and where the commands are described).
    ///
    /// - Throws: ``CommandError`` where an admin role is required and another one is given.
    func checkRole(in context: CommandContext, on account: Account) throws(CommandError) {
        guard context.role != .admin, needsAdmin(in: context, on: account) else { return }
        throw CommandError("an admin role is required", hint: "give `--role admin`")
    }

    private func needsAdmin(in context: CommandContext, on account: Account) -> Bool {
        switch self {
        case .setPolicy, .addRejectFlag, .removeRejectFlag, .setResponseCode, .setIPTracking, .setAudience, .setIssuer,
            .clearDeviceState, .setSamplingPercentage, .addAuthKey, .removeAuthKey, .setSafetyNetKey,
            .removeSafetyNetKey, .removeCertificate, .removeRegistrations, .removeDomain:
            true
        case .domains(let command): command.changesAccount
        case .token(let command): command.needsAdmin
        case .secret(let command): command.needsAdmin
        case .keySet(let command): command.needsAdmin
        case .removeRegistration(let signature):
            (account.registrations ?? []).contains {
                $0.overallSignature == signature && !context.devMayRemove($0)
            }
        case .setPinningTestURL, .addDevice, .removeDevice, .removeDevices, .addFilter, .removeFilter,
            .addCertificate, .addRegistration, .addDomain, .question, .query:
            false
        }
    }
}

extension Account {
    /// Whether an app that is registered for good has that overall signature.
    func hasPermanentRegistration(_ signature: String) -> Bool {
        (registrations ?? []).contains { $0.overallSignature == signature && $0.expiry == nil }
    }
}
