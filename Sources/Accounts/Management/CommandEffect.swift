package import Documents

/// The result of a command beside the changed account.
package struct CommandEffect: Hashable, Sendable {
    /// What is legal and probably not meant.
    package var warnings: [String] = []
    /// Whether every device is to be forgotten, at once (R6.5).
    package var clearsDeviceState = false
    /// Whether apps are to apply the pins as they are now (R17.4).
    package var forcesPins = false
    /// Whether the next problem of an API domain is to be told, however short ago one was (R25.1).
    package var resumesNotifications = false
    /// The accounts to clone registrations into, once it is confirmed.
    package var cloning: RegistrationCloning?
    /// The mail that would be sent.
    package var mail: [MailMessage] = []
    /// What is asked about devices that attested, which the service answers.
    package var query: DeviceQuery?
    /// Whether the reports of misuse are asked for, which only a service has that backends can reach (R23.2).
    package var listsTokenReports = false
    /// Whether the answer to what was checked is that it is not sound; the manual's tool ends with 1 then.
    package var failsCheck = false
    /// The lines that answer a question.
    package var printed: [String] = []
    /// The files to write once it is confirmed.
    package var files: [CommandFile] = []
    /// What has to be confirmed first; `nil` where the command is carried out at once.
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
            throw CommandError("the command writes a file, which is left to `scenario approov`")
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
    /// Whether nobody but its owner may read it.
    package let isSecret: Bool
}

/// What is said and asked before a command is carried out that bears on apps in production, in the manual's words.
package struct CommandConfirmation: Hashable, Sendable {
    /// What the command found that it would act on.
    package var matches: [String] = []
    /// What is to be considered first.
    package var cautions: [String] = []
    /// What has to be confirmed.
    package let consequence: String
    /// Whether the question follows on a line of its own.
    package var asksOnNextLine = false

    /// The answer that lets the command proceed; no other one does.
    package static let consent = "YES"

    /// Makes a confirmation of its consequence alone.
    init(_ consequence: String) {
        self.consequence = consequence
    }

    /// The manual's usual consequence.
    ///
    /// - Parameter deed: What is done, such as `removing the API`.
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
