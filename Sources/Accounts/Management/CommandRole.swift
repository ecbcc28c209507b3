package import PolicyEngine

/// The role with which a management command is given (R24.1; manual, User Roles).
///
/// An action that no list of the manual names is a dev's, and an admin may do all that a dev may.
package typealias CommandRole = UserRole.Kind

extension Set<CommandRole> {
    static let developers: Set = [.dev, .admin]
    static let admins: Set = [.admin]
    /// The roles that build an app and register it.
    static let builders: Set = [.dev, .admin, .automation]
    static let developersAndDelegates: Set = [.dev, .admin, .delegate]
    static let adminsAndDelegates: Set = [.admin, .delegate]
}

extension CommandError {
    /// The error for a role that may not give a command, in the manual's words.
    ///
    /// - Parameters:
    ///   - role: The role that it is given with.
    ///   - roles: The roles that may carry out its action.
    static func refused(to role: CommandRole, of roles: Set<CommandRole>) -> CommandError {
        let needed: CommandRole = role != .dev && roles.contains(.dev) ? .dev : .admin
        let article = needed == .admin ? "an" : "a"
        return CommandError(
            "\(article) \(needed.rawValue) role is required", hint: "give `--role \(needed.rawValue)`"
        ).forbidden
    }
}
