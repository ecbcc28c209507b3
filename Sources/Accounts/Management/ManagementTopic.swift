internal import PolicyEngine

/// A topic of the management language, such as `policy`: its grammar, and the requirements and effects of its commands.
///
/// A value is one command of the topic, understood but not carried out. Texts that only an account can understand, such
/// as policies and flags, are still texts in it.
protocol ManagementTopic: Hashable, Sendable {
    /// The first word of its commands.
    static var name: String { get }
    /// The actions of the topic, in the order of the manual.
    static var actions: [CommandAction] { get }

    /// True if carrying the command out makes another account, rather than answering or clearing something.
    var changesAccount: Bool { get }

    /// True if the command's validity does not depend on earlier changes: it names only what an account declares.
    var dependsOnDeclarationsOnly: Bool { get }

    /// The action as it is typed, such as `-add`, and as ``RoleTable`` names it.
    var action: String { get }

    /// True if the giver of the command added all that it acts on; it matters only if its row of ``RoleTable`` demands that.
    func actsOnOwn(in context: CommandContext, _ account: Account) -> Bool

    /// The confirmation that is needed before the command is carried out, in the words of the manual.
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

/// An action of a topic: its options, and the command that it makes.
struct CommandAction: Sendable {
    /// The first option, such as `-add`.
    let name: String
    /// The operand of the action itself, such as `device ID`; `nil` if there is none.
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
