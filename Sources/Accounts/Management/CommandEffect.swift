package import Documents
package import PolicyEngine

/// The result of a command beside the changed account.
package struct CommandEffect: Hashable, Sendable {
    /// The warnings about settings that are legal and probably not meant.
    package var warnings: [String] = []
    /// True if the service forgets every device at once (R6.5).
    package var clearsDeviceState = false
    /// True if apps must apply the pins as they are now (R17.4).
    package var forcesPins = false
    /// True if the next problem of an API domain is reported even shortly after another one (R25.1).
    package var resumesNotifications = false
    /// The accounts to clone registrations into, once it is confirmed.
    package var cloning: RegistrationCloning?
    /// The decided rules on which the changed account rests.
    package var decidedRules: DecidedRules = []
    /// The mail that would be sent.
    package var mail: [MailMessage] = []
    /// The question about devices that attested, which the service answers.
    package var query: DeviceQuery?
    /// True if the command asks for the reports of misuse, which only a service has that backends can reach (R23.2).
    package var listsTokenReports = false
    /// True if `api -check` found a domain with a wrong or unknown chain; the manual's tool ends with 1 then.
    package var failsCheck = false
    /// The lines that answer a question.
    package var printed: [String] = []
    /// The files to write once it is confirmed.
    package var files: [CommandFile] = []
    /// The confirmation that is needed first; `nil` if the command is carried out at once.
    package var confirmation: CommandConfirmation?
    /// The lines that say what was done.
    package var reported: [String] = []

    /// Notes a warning, if there is one.
    mutating func warn(_ warning: String?) {
        if let warning { warnings.append(warning) }
    }

    /// Notes a file to write.
    ///
    /// - Throws: ``CommandError`` where commands do not write files.
    mutating func write(
        _ text: String, to path: String, isSecret: Bool, in context: CommandContext
    ) throws(CommandError) {
        guard !path.isEmpty else { throw CommandError("the name of the file is empty") }
        guard context.writesFiles else {
            throw CommandError("the command writes a file, which only `scenario approov` can do")
        }
        files.append(CommandFile(path: path, text: text, isSecret: isSecret))
    }
}

/// A file that a command writes beside the account.
package struct CommandFile: Hashable, Sendable {
    /// The path, as it was typed.
    package let path: String
    /// The text of the file.
    package let text: String
    /// True if only its owner may read it.
    package let isSecret: Bool
}

/// The messages and the question before a command that affects apps in production, in the manual's words.
package struct CommandConfirmation: Hashable, Sendable {
    /// The items that the command found and would act on.
    package var matches: [String] = []
    /// The warnings that come before the question.
    package var cautions: [String] = []
    /// The consequence that has to be confirmed.
    package let consequence: String
    /// True if the question follows on a line of its own.
    package var asksOnNextLine = false

    /// The answer that lets the command proceed; no other one does.
    package static let consent = "YES"

    /// Makes a confirmation, usually of its consequence alone.
    init(_ consequence: String, matches: [String] = [], cautions: [String] = [], asksOnNextLine: Bool = false) {
        (self.consequence, self.matches, self.cautions) = (consequence, matches, cautions)
        self.asksOnNextLine = asksOnNextLine
    }

    /// The manual's usual consequence.
    ///
    /// - Parameter deed: The action, such as `removing the API`.
    static func impact(of deed: String) -> CommandConfirmation {
        CommandConfirmation("\(deed) will have an immediate impact on your apps in production")
    }

    /// The lines that come before the question.
    package var introduction: [String] { matches + cautions.map { "WARNING: \($0)" } }

    /// The question, with the space behind which the answer is typed.
    package var question: String {
        "WARNING: \(consequence)\(asksOnNextLine ? "\n" : ". ")If you wish to continue then please enter "
            + "\(Self.consent) and return: "
    }
}
