internal import Documents
package import PolicyEngine

/// A management command of the manual, understood but not carried out: one case a topic.
package enum ManagementCommand: Hashable, Sendable {
    case policy(PolicyTopic)
    case device(DeviceTopic)
    case filter(FilterTopic)
    case deviceCheck(DeviceCheckTopic)
    case safetyNet(SafetyNetTopic)
    case certificate(CertificateTopic)
    case registration(RegistrationTopic)
    case domain(DomainTopic)
    case pin(PinTopic)
    case token(TokenTopic)
    case secret(SecretTopic)
    case keySet(KeySetTopic)
    case users(UserTopic)
    case monitoring(MonitoringTopic)

    /// The topics, whose actions are the one grammar of the language.
    static let topics: [any ManagementTopic.Type] = [
        PolicyTopic.self, DeviceTopic.self, FilterTopic.self, DeviceCheckTopic.self, SafetyNetTopic.self,
        CertificateTopic.self, RegistrationTopic.self, DomainTopic.self, PinTopic.self, TokenTopic.self,
        SecretTopic.self, KeySetTopic.self, UserTopic.self, MonitoringTopic.self,
    ]

    private var topic: any ManagementTopic {
        switch self {
        case .policy(let command): command
        case .device(let command): command
        case .filter(let command): command
        case .deviceCheck(let command): command
        case .safetyNet(let command): command
        case .certificate(let command): command
        case .registration(let command): command
        case .domain(let command): command
        case .pin(let command): command
        case .token(let command): command
        case .secret(let command): command
        case .keySet(let command): command
        case .users(let command): command
        case .monitoring(let command): command
        }
    }

    /// Understands a command line, such as `policy -set default,allow-root,risk`.
    ///
    /// - Throws: ``CommandError``: the first thing that is wrong with it.
    package init(_ line: String) throws(CommandError) {
        try self.init(words: try CommandWords.split(line))
    }

    /// Understands the words of a command, as a shell has split them.
    ///
    /// - Throws: ``CommandError``: the first thing that is wrong with them.
    package init(words: [String]) throws(CommandError) {
        let call = try CommandInvocation(CommandMisprint.corrected(words))
        self = try call.action.command(call)
    }

    /// The topic as it is typed, such as `policy`.
    package var topicName: String { type(of: topic).name }

    /// The action as it is typed, such as `-set`.
    package var action: String { topic.action }

    /// True if the giver of the command added all that it acts on; it matters only if the table of roles demands that.
    func actsOnOwn(in context: CommandContext, _ account: Account) -> Bool { topic.actsOnOwn(in: context, account) }

    /// The key that it adds to a key set, made beforehand; `nil` where it adds none, or one that cannot be made.
    ///
    /// - Complexity: Seconds, for RSA of 4096 bits.
    package var preparedKey: TokenKey? {
        if case .keySet(let command) = self { command.preparedKey } else { nil }
    }

    /// True if carrying it out makes another account, rather than answering or clearing something.
    package var changesAccount: Bool { topic.changesAccount }

    /// True if its validity does not depend on earlier changes: it names only what an account declares.
    package var dependsOnDeclarationsOnly: Bool { topic.dependsOnDeclarationsOnly }

    /// Carries the command out on an account, as if it were confirmed.
    ///
    /// - Parameters:
    ///   - account: Changed unless an error is thrown.
    ///   - context: All that the command needs to know beside the account.
    /// - Returns: The result beside the change, with the confirmation that it needs.
    /// - Throws: ``CommandError`` for what the service would refuse.
    package func apply(to account: inout Account, in context: CommandContext) throws(CommandError) -> CommandEffect {
        guard context.role.permits(self, in: context, on: account) else {
            throw CommandError.refused(self, to: context.role)
        }
        let command = topic
        var effect = CommandEffect()
        effect.confirmation = command.confirmation(on: account)
        try command.apply(to: &account, in: context, &effect)
        return effect
    }
}
