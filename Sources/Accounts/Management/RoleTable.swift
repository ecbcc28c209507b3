package import PolicyEngine

/// The role with which a management command is given (manual, User Roles).
package typealias CommandRole = UserRole.Kind

/// The roles that may give each command: the one table of R24.1.
///
/// The rows are those of the manual's lists (User Roles) and of its descriptions of commands. An action that no list names is a
/// dev's, and an admin may do all that a dev may.
package enum RoleTable {
    /// Some actions of a topic, and the roles that may carry them out.
    package struct Row: Sendable {
        package let topic: String
        package let actions: [String]
        package let roles: Set<CommandRole>
        /// Of these roles, those which may act on what they added themselves, and on nothing else.
        package var ownOnly: Set<CommandRole> = []
    }

    /// The table.
    package static let rows: [Row] = [
        Row(topic: "sdk", actions: ["-getLibrary"], roles: builders),
        Row(topic: "sdk", actions: ["-getConfig"], roles: builders.union([.delegate])),
        Row(topic: "role", actions: [], roles: everybody), Row(topic: "whoami", actions: [], roles: everybody),
        Row(topic: "init", actions: [], roles: everybody), Row(topic: "password", actions: [], roles: everybody),
        Row(topic: "policy", actions: ["-get", "-getARC", "-getIPTracking"], roles: developers),
        Row(topic: "policy", actions: ["-getAudience", "-getIssuer", "-getPinningTestURL"], roles: developers),
        Row(topic: "policy", actions: ["-setPinningTestURL", "-removePinningTestURL"], roles: developers),
        Row(topic: "policy", actions: ["-set", "-addRejectFlag", "-removeRejectFlag", "-setARC"], roles: admins),
        Row(topic: "policy", actions: ["-setIPTracking", "-setAudience", "-setIssuer"], roles: admins),
        Row(topic: "device", actions: ["-add", "-list", "-remove", "-removeMatching"], roles: developers),
        Row(topic: "device", actions: ["-getDeviceState", "-getInfo", "-getFetches"], roles: developers),
        Row(topic: "device", actions: ["-clearDeviceState"], roles: admins),
        Row(topic: "filter", actions: ["-add", "-list", "-remove", "-getSamplingPercentage"], roles: developers),
        Row(topic: "filter", actions: ["-setSamplingPercentage"], roles: admins),
        Row(topic: "devicecheck", actions: ["-get"], roles: developersAndDelegates),
        Row(topic: "devicecheck", actions: ["-addAuthKey", "-remove"], roles: adminsAndDelegates),
        Row(topic: "safetynet", actions: ["-get"], roles: developersAndDelegates),
        Row(topic: "safetynet", actions: ["-set", "-remove"], roles: adminsAndDelegates),
        Row(topic: "appsigncert", actions: ["-add", "-list"], roles: developersAndDelegates),
        Row(topic: "appsigncert", actions: ["-remove"], roles: adminsAndDelegates),
        Row(topic: "registration", actions: ["-add"], roles: builders),
        Row(topic: "registration", actions: ["-list"], roles: developers),
        Row(topic: "registration", actions: ["-remove"], roles: developers, ownOnly: [.dev]),
        Row(topic: "registration", actions: ["-removeMatching"], roles: admins),
        Row(topic: "registration", actions: ["-cloneTo", "-cloneToAccounts"], roles: developers),
        Row(topic: "registration", actions: ["-cloneToAllDelegateAccounts"], roles: developers),
        Row(topic: "api", actions: ["-list", "-getAll", "-check"], roles: builders),
        Row(topic: "api", actions: ["-add"], roles: developers),
        Row(topic: "api", actions: ["-remove", "-setAll"], roles: admins),
        Row(topic: "pin", actions: ["-list", "-getLeafPin", "-getCertChainPins", "-getCertPin"], roles: builders),
        Row(topic: "pin", actions: ["-add", "-remove", "-forceApplyPins"], roles: admins),
        Row(topic: "token", actions: ["-check", "-genExample"], roles: developers),
        Row(topic: "token", actions: ["-showArcInfoCurl", "-showTokenInfoCurl", "-reports"], roles: developers),
        Row(topic: "token", actions: ["-genLongLived"], roles: admins),
        Row(topic: "secret", actions: ["-getKeyID", "-setKeyID", "-clearKeyID"], roles: developers),
        Row(topic: "secret", actions: ["-get", "-getJWK", "-getJWKS", "-change"], roles: admins),
        Row(topic: "secret", actions: ["-messageSigningKey"], roles: admins),
        Row(topic: "keyset", actions: ["-add", "-list", "-getPEM"], roles: developers),
        Row(topic: "keyset", actions: ["-remove", "-getJWKS", "-import"], roles: admins),
        Row(topic: "users", actions: ["-add", "-list", "-revoke", "-getManagementToken"], roles: admins),
        Row(topic: "monitoring", actions: ["-addAPI", "-removeAPI"], roles: admins),
        Row(topic: "monitoring", actions: ["-resumeAPINotifications", "-add", "-remove", "-get"], roles: developers),
        Row(topic: "monitoring", actions: ["-selectDailySummary", "-selectMonthlySummary"], roles: developers),
        Row(topic: "monitoring", actions: ["-setEmergencyContact", "-getHealthCheckURL"], roles: developers),
    ]

    private static let everybody = Set(CommandRole.allCases)
    private static let developers: Set<CommandRole> = [.dev, .admin]
    private static let admins: Set<CommandRole> = [.admin]
    // The roles that build an app and register it.
    private static let builders: Set<CommandRole> = [.dev, .admin, .automation]
    private static let developersAndDelegates: Set<CommandRole> = [.dev, .admin, .delegate]
    private static let adminsAndDelegates: Set<CommandRole> = [.admin, .delegate]

    /// The row of an action; `nil` for one that the table does not have, which nobody may carry out.
    package static func row(topic: String, action: String) -> Row? {
        rows.first { $0.topic == topic && $0.actions.contains(action) }
    }

    /// True if a role may carry out an action, on all items or only on those that it added.
    package static func permits(_ role: CommandRole, topic: String, action: String) -> Bool {
        row(topic: topic, action: action)?.roles.contains(role) ?? false
    }
}

extension CommandRole {
    /// True if a command may be given with this role (R24.1).
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - context: The context with the user who gives it: a dev removes only registrations that a dev of the same name added.
    ///   - account: The account that it is given for.
    package func permits(_ command: ManagementCommand, in context: CommandContext, on account: Account) -> Bool {
        guard let row = RoleTable.row(topic: command.topicName, action: command.action), row.roles.contains(self)
        else { return false }
        return !row.ownOnly.contains(self) || command.actsOnOwn(in: context, account)
    }
}

extension CommandError {
    /// The error for a role that may not give a command, in the manual's words.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - role: The role that it is given with.
    static func refused(_ command: ManagementCommand, to role: CommandRole) -> CommandError {
        let isForDevelopers =
            role != .dev && RoleTable.permits(.dev, topic: command.topicName, action: command.action)
        let needed: CommandRole = isForDevelopers ? .dev : .admin
        let article = needed == .admin ? "an" : "a"
        return CommandError(
            "\(article) \(needed.rawValue) role is required", hint: "give `--role \(needed.rawValue)`"
        ).forbidden
    }
}
