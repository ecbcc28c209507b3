package import Documents
package import PolicyEngine

/// A management command of the manual, understood but not carried out.
package struct ManagementCommand: Hashable, Sendable {
    private let words: [String]
    let action: CommandAction
    let topic: any ManagementTopic

    /// All topics. Their actions are the only grammar of management commands.
    static let topics: [any ManagementTopic.Type] = [
        PolicyTopic.self, DeviceTopic.self, FilterTopic.self, DeviceCheckTopic.self, SafetyNetTopic.self,
        CertificateTopic.self, RegistrationTopic.self, DomainTopic.self, PinTopic.self, TokenTopic.self,
        SecretTopic.self, KeySetTopic.self, UserTopic.self, MonitoringTopic.self,
    ]

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
        self.words = CommandMisprint.corrected(words)
        let call = try CommandInvocation(self.words)
        (action, topic) = (call.action, try call.action.understand(call))
    }

    /// The command as it is typed, with the quotes that a shell needs.
    package var text: String { CommandWords.text(of: words) }

    /// The command as a value of its topic, such as a ``PolicyTopic``.
    package var value: any Hashable & Sendable { topic }

    package static func == (left: ManagementCommand, right: ManagementCommand) -> Bool {
        AnyHashable(left.topic) == AnyHashable(right.topic)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(topic)) }

    /// A newly made key, if the command adds one to a key set; `nil` if it adds none, or if the key cannot be made.
    ///
    /// - Complexity: Seconds, for RSA of 4096 bits.
    package var preparedKey: TokenKey? { (topic as? KeySetTopic)?.preparedKey }

    /// True if the command changes the account; false if it only gives an answer or clears something.
    package var changesAccount: Bool { action.changesAccount && !topic.onlyAsks }

    /// True if the command changes the security policy alone. Earlier changes make such a command neither valid nor invalid,
    /// because it names only what an account declares.
    package var changesPolicyOnly: Bool { (topic as? PolicyTopic)?.changesPolicy == true }

    /// True if a role may give the command (R24.1).
    ///
    /// - Parameters:
    ///   - context: Names the user: a dev removes only registrations that a dev of the same name added.
    ///   - account: The account that the command is given for.
    func isPermitted(to role: CommandRole, in context: CommandContext, on account: Account) -> Bool {
        action.roles.contains(role) && topic.permits(role, in: context, account)
    }

    /// Carries the command out on an account, as if it were confirmed.
    ///
    /// - Parameters:
    ///   - account: Changed unless an error is thrown.
    ///   - context: All that the command needs to know beside the account.
    /// - Returns: The answer and all other results beside the change, with the confirmation that the command needs.
    /// - Throws: ``CommandError`` for what the service would refuse.
    package func apply(to account: inout Account, in context: CommandContext) throws(CommandError) -> CommandEffect {
        guard isPermitted(to: context.role, in: context, on: account) else {
            throw CommandError.refused(to: context.role, of: action.roles)
        }
        var effect = CommandEffect()
        effect.confirmation = action.confirmation
        try topic.apply(to: &account, in: context, &effect)
        return effect
    }
}

extension DocumentKind {
    /// A file of management commands, one a line.
    package static let commands = DocumentKind(
        name: "a list of management commands",
        keys: Set(ManagementCommand.topics.map { $0.name }).union(UnsimulatedCommand.reasons.keys).union([
            "approov", "scenario",
        ]))
}

/// The commands that the manual misprints, each with its correction, so that a runbook copied from the manual works with a
/// warning. Other typing errors are refused with a suggestion.
package enum CommandMisprint {
    // The first words of such commands, as the manual prints them and as they are meant.
    private static let table: [(printed: [String], meant: [String])] = [
        (["-getPinningTestURL"], ["policy", "-getPinningTestURL"]),
        (["devicecheck-remove"], ["devicecheck", "-remove"]),
        (["apis", "-getAll"], ["api", "-getAll"]),
        (["apis", "-setAll"], ["api", "-setAll"]),
        (["secret", "change"], ["secret", "-change"]),
    ]

    /// The words with a misprint at their beginning corrected; the same words if there is none.
    static func corrected(_ words: [String]) -> [String] {
        guard let entry = entry(words) else { return words }
        return entry.meant + words.dropFirst(entry.printed.count)
    }

    /// The warning about a misprint; `nil` if there is none.
    ///
    /// - Parameter words: A command as it was typed.
    package static func warning(of words: [String]) -> String? {
        guard let entry = entry(words) else { return nil }
        let (printed, meant) = (entry.printed.joined(separator: " "), entry.meant.joined(separator: " "))
        return "\(printed.quoted) is taken as \(meant.quoted)"
    }

    /// The warning about a misprint in a line; `nil` if there is none, or the line cannot be split.
    package static func warning(ofLine line: String) -> String? {
        (try? CommandWords.split(line)).flatMap(warning)
    }

    private static func entry(_ words: [String]) -> (printed: [String], meant: [String])? {
        table.first { words.starts(with: $0.printed) }
    }
}
