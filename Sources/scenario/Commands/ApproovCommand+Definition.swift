internal import Accounts

extension ApproovCommand {
    /// What can be typed after `approov`.
    static let definition = CommandDefinition(
        name: "approov",
        summary: "Carry out a management command on an account file.",
        operands: OperandDefinition(
            placeholder: "COMMAND",
            summary: "The command as it would be typed after `approov`; everything from its first word on is taken.",
            maximum: nil,
            isCommandLine: true
        ),
        options: [accountOption, yesOption, roleOption, userOption, timeOption],
        discussion: [
            """
            Prints what the service would print, asks for the confirmations that it would ask for, and refuses what \
            it would refuse. A change is written into FILE as a whole or not at all, and whatever it does not concern \
            stays as it is, comments and layout included. No device has attested at a file: what is asked about \
            devices is answered accordingly.
            """,
            """
            The commands are those of the topics policy, device, filter, devicecheck, safetynet, appsigncert, \
            registration, api, token, secret and keyset.
            """,
            """
            Keys stand in a file of their own, which `keys` of the account names and nobody but its owner may read. The \
            first command that makes a key makes the file. Keys that are missing there follow from the account's name; \
            they are no secrets, and commands that use them say so.
            """,
            """
            Exits with 0 when the command was carried out, 2 when it was refused, not confirmed, or FILE cannot be \
            read or written, and 3 when there is no such command.
            """,
        ],
        examples: [
            CommandExample(
                line: "scenario approov --account prod.yaml policy -get",
                summary: "What the policy of the account means, flag by flag."
            ),
            CommandExample(
                line: "alias approov='scenario approov --account prod.yaml'",
                summary: "From now on, lines of a runbook can be typed as they stand."
            ),
            CommandExample(
                line: "scenario approov --account prod.yaml --yes policy -set default,allow-root,risk",
                summary: "A change that is confirmed beforehand, for scripts."
            ),
        ]
    )

    /// Whose file it is.
    static let accountOption = OptionDefinition(
        name: "--account",
        value: .text(placeholder: "FILE"),
        summary: "The account that is asked or changed; needed, and it has to be there."
    )

    /// Answers what has to be confirmed.
    static let yesOption = OptionDefinition(
        name: "--yes", summary: "Answer `YES` to what has to be confirmed, instead of reading standard input.")

    /// As whom the command is given.
    static let roleOption = OptionDefinition(
        name: "--role",
        value: .choice(of: CommandRole.self),
        summary: "Give the command with this role; by default admin."
    )

    /// Under which name.
    static let userOption = OptionDefinition(
        name: "--user",
        value: .text(placeholder: "NAME"),
        summary: "Give the command under this name, which new devices and registrations keep; by default the role's."
    )

    /// When the command is given.
    static let timeOption = OptionDefinition(
        name: "--at",
        value: .text(placeholder: "INSTANT"),
        summary:
            "Say what time it is, such as 2020-07-23T00:00:00Z, where tokens are made or checked, and registrations listed or removed by age."
    )
}
