package import PolicyEngine

/// A topic of the management language, such as `policy`.
///
/// A value is one command of the topic, understood but not carried out: a case for each action that it declares. Texts that only an account can understand, such
/// as policies and flags, are still texts in it.
protocol ManagementTopic: Hashable, Sendable {
    /// The first word of its commands.
    static var name: String { get }
    /// The actions of the topic, in the order of the manual.
    static var actions: [CommandAction] { get }

    /// True if the command only asks, although its action can change the account, too.
    var onlyAsks: Bool { get }

    /// True if a role that may carry out the action may act on the items that the command names.
    func permits(_ role: CommandRole, in context: CommandContext, _ account: Account) -> Bool

    /// Carries the command out, as if it were confirmed.
    ///
    /// - Parameters:
    ///   - account: Changed unless an error is thrown.
    ///   - context: All that the command needs to know beside the account.
    ///   - effect: Gets the result beside the change, and a confirmation that is not that of the action.
    /// - Throws: ``CommandError`` for what the service would refuse.
    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError)
}

extension ManagementTopic {
    var onlyAsks: Bool { false }

    func permits(_ role: CommandRole, in context: CommandContext, _ account: Account) -> Bool { true }

    /// Declares an action.
    ///
    /// - Parameters:
    ///   - name: The first option, such as `-add`.
    ///   - operand: The operand of the action itself, such as `device ID`; `nil` if there is none.
    ///   - roles: The roles that may carry it out (R24.1; manual, User Roles).
    ///   - changesAccount: True if it makes another account, rather than answering or clearing something.
    ///   - deed: The deed with an impact on apps in production, such as `removing the API`; it has to be confirmed.
    ///   - options: Further options.
    ///   - understand: Understands a command of the action.
    static func action(
        _ name: String, _ operand: String? = nil, for roles: Set<CommandRole>, changes changesAccount: Bool = false,
        impact deed: String? = nil, options: [CommandOption] = [],
        _ understand: @escaping @Sendable (CommandInvocation) throws(CommandError) -> Self
    ) -> CommandAction {
        CommandAction(
            name: name, operand: operand, options: options, roles: roles, changesAccount: changesAccount,
            confirmation: deed.map(CommandConfirmation.impact)
        ) { call throws(CommandError) in try understand(call) }
    }
}

/// An action of a topic: its options, who may carry it out, and the command that it makes.
struct CommandAction: Sendable {
    let name: String
    let operand: String?
    let options: [CommandOption]
    let roles: Set<CommandRole>
    let changesAccount: Bool
    let confirmation: CommandConfirmation?
    let understand: @Sendable (CommandInvocation) throws(CommandError) -> any ManagementTopic
}

/// An option of an action, beside the action's own operand.
struct CommandOption: Sendable {
    /// The name with its dash, such as `-label`.
    let name: String
    /// The kind of value behind the name.
    let value: Value

    /// A kind of value of an option.
    enum Value: Sendable {
        /// Nothing: the option is a switch.
        case nothing
        /// Any text but the empty one.
        case text
        /// Any text, the empty one too.
        case anyText
    }

    init(_ name: String, _ value: Value = .nothing) {
        self.name = name
        self.value = value
    }
}

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
