internal import PolicyEngine

/// A topic of the management language, such as `policy`: its grammar, and what its commands need and do.
///
/// A value is one command of the topic, understood but not carried out. Texts that only an account can understand, such
/// as policies and flags, are still texts in it.
protocol ManagementTopic: Hashable, Sendable {
    /// The first word of its commands.
    static var name: String { get }
    /// The actions of the topic, in the order of the manual.
    static var actions: [CommandAction] { get }

    /// Whether carrying the command out makes another account, rather than answering or clearing something.
    var changesAccount: Bool { get }

    /// Whether the command is right or wrong whatever was changed before: it names only what an account declares.
    var dependsOnDeclarationsOnly: Bool { get }

    /// The action as it is typed, such as `-add`: what ``RoleTable`` names it by.
    var action: String { get }

    /// Whether all that the command acts on was added by whoever gives it, where its row of ``RoleTable`` asks for that.
    func actsOnOwn(in context: CommandContext, _ account: Account) -> Bool

    /// What has to be confirmed before the command is carried out, in the words of the manual.
    ///
    /// - Returns: `nil` for a command that is carried out at once.
    func confirmation(on account: Account) -> CommandConfirmation?

    /// Carries the command out, as if it were confirmed.
    ///
    /// - Parameters:
    ///   - account: Changed unless an error is thrown.
    ///   - context: All that the command needs to know beside the account.
    ///   - effect: Gets the result beside the change.
    /// - Throws: ``CommandError`` for what the service would refuse.
    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError)
}

extension ManagementTopic {
    var dependsOnDeclarationsOnly: Bool { false }

    func actsOnOwn(in context: CommandContext, _ account: Account) -> Bool { true }
}

/// What can be done with a topic, with which options, and the command that it makes.
struct CommandAction: Sendable {
    /// The first option, such as `-add`.
    let name: String
    /// What the action itself takes, such as `device ID`; `nil` when nothing.
    let operand: String?
    /// Further options.
    let options: [CommandOption]
    /// Understands a command of this action.
    let command: @Sendable (CommandInvocation) throws(CommandError) -> ManagementCommand

    init(
        _ name: String, _ operand: String? = nil, options: [CommandOption] = [],
        _ command: @escaping @Sendable (CommandInvocation) throws(CommandError) -> ManagementCommand
    ) {
        self.name = name
        self.operand = operand
        self.options = options
        self.command = command
    }
}

/// An option of an action, beside what the action itself takes.
struct CommandOption: Sendable {
    /// The name with its dash, such as `-label`.
    let name: String
    /// What follows the name.
    let value: Value

    /// What an option takes.
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
