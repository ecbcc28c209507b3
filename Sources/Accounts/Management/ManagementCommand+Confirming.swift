internal import PolicyEngine

extension ManagementCommand {
    /// What has to be confirmed before the command is carried out, in the words of the manual.
    ///
    /// - Returns: `nil` for a command that is carried out at once.
    func confirmation(on account: Account) -> CommandConfirmation? {
        switch self {
        case .setPolicy, .addRejectFlag, .removeRejectFlag, .setResponseCode, .setIPTracking, .setAudience, .setIssuer,
            .setPinningTestURL:
            policySetting.map { .impact(of: "updating the \($0)") }
        case .addFilter(let filter):
            filter.options.isDisjoint(with: [.reject, .ban]) ? nil : .impact(of: "using the ban or reject option")
        case .clearDeviceState: Self.clearing
        case .addAuthKey, .removeAuthKey, .setSafetyNetKey, .removeSafetyNetKey: .impact(of: "this")
        case .removeCertificate: .impact(of: "removing an app signing certificate")
        case .removeRegistration(let signature):
            account.hasPermanentRegistration(signature) ? .impact(of: "removing app registration") : nil
        case .addDomain: .impact(of: "adding the API")
        case .removeDomain: .impact(of: "removing the API")
        case .domains(let command): command.changesAccount ? .impact(of: "updating the APIs") : nil
        case .secret(let command): command.confirmation
        case .removeDevices: CommandConfirmation("are you sure you wish to remove these devices")
        case .removeRegistrations: .impact(of: "removing app registrations")
        case .addDevice, .removeDevice, .removeFilter, .setSamplingPercentage, .addCertificate, .addRegistration,
            .question, .query, .token, .keySet:
            nil
        }
    }

    /// What of an account's policies the command sets, as the manual calls it.
    ///
    /// - Returns: `nil` for a command of another topic.
    var policySetting: String? {
        switch self {
        case .setPolicy, .addRejectFlag, .removeRejectFlag: "security policy"
        case .setResponseCode: "arc policy"
        case .setIPTracking: "IP tracking policy"
        case .setAudience: "audience policy"
        case .setIssuer: "issuer policy"
        case .setPinningTestURL: "pinning test URL"
        default: nil
        }
    }

    // Manual, Clearing All Device State: the last of its warnings is the usual one.
    private static let clearing: CommandConfirmation = {
        var confirmation = CommandConfirmation.impact(of: "this")
        confirmation.cautions = [
            "clearing device state will require all app installs to redo any DeviceCheck/SafetyNet checks (consider "
                + "SafetyNet API quota limits)",
            "it is not advised to use this option if DeviceCheck autoban (bit availability of both) is being used",
        ]
        return confirmation
    }()
}
