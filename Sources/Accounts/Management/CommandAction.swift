/// What can be done with a topic of the management language, and with which options.
struct CommandAction: Sendable {
    /// The first option, such as `-add`.
    let name: String
    /// What the action itself takes, such as `device ID`; `nil` when nothing.
    let operand: String?
    /// Further options.
    let options: [CommandOption]

    init(_ name: String, _ operand: String? = nil, options: [CommandOption] = []) {
        self.name = name
        self.operand = operand
        self.options = options
    }

    /// The topics and their actions: the one grammar of the language.
    static let topics: [(name: String, actions: [CommandAction])] = [
        ("policy", policyActions), ("device", deviceActions), ("filter", filterActions),
        ("devicecheck", deviceCheckActions), ("safetynet", safetyNetActions), ("appsigncert", certificateActions),
        ("registration", registrationActions), ("api", domainActions), ("token", TokenCommand.actions),
        ("secret", SecretCommand.actions), ("keyset", KeySetCommand.actions),
    ]

    private static let policyActions = [
        CommandAction("-get"), CommandAction("-set", "policy"), CommandAction("-addRejectFlag", "flag"),
        CommandAction("-removeRejectFlag", "flag"), CommandAction("-setARC", "value, `on` or `off`"),
        CommandAction("-getARC"), CommandAction("-setIPTracking", "value, `none`, `token` or `full`"),
        CommandAction("-getIPTracking"), CommandAction("-setAudience", "value, `on` or `off`"),
        CommandAction("-getAudience"), CommandAction("-setIssuer", "value, `on` or `off`"),
        CommandAction("-getIssuer"), CommandAction("-setPinningTestURL", "URL"), CommandAction("-getPinningTestURL"),
        CommandAction("-removePinningTestURL"),
    ]

    private static let deviceActions = [
        CommandAction(
            "-add", "device ID",
            options: [
                CommandOption("-policy", .text), CommandOption("-label", .text), CommandOption("-pinMode", .text),
                CommandOption("-banMode", .text), CommandOption("-probeURL", .text),
            ]),
        CommandAction("-list"), CommandAction("-remove", "device ID"),
        CommandAction("-removeMatching", "user name or label"), CommandAction("-clearDeviceState"),
        CommandAction("-getDeviceState", "device ID"),
        CommandAction("-getInfo", "device ID, `new-did` or `filtered`", options: [CommandOption("-clear")]),
        CommandAction("-getFetches", "form, `timed` or `untimed`", options: [CommandOption("-clear")]),
    ]

    private static let filterActions = [
        CommandAction(
            "-add", "name",
            options: [
                CommandOption("-key", .anyText), CommandOption("-matchValue", .anyText),
                CommandOption("-conjunction", .anyText), CommandOption("-regex"), CommandOption("-newDIDOnly"),
                CommandOption("-captureDeviceInfo"), CommandOption("-reject"), CommandOption("-ban"),
                CommandOption("-risky"), CommandOption("-execFilteredSecPolicy"),
            ]),
        CommandAction("-list"), CommandAction("-remove", "name"),
        CommandAction("-setSamplingPercentage", "percentage"), CommandAction("-getSamplingPercentage"),
    ]

    private static let deviceCheckActions = [
        CommandAction(
            "-addAuthKey", "file name",
            options: [CommandOption("-teamID", .text), CommandOption("-bits", .text), CommandOption("-expiry", .text)]),
        CommandAction("-get"), CommandAction("-remove"),
    ]

    private static let safetyNetActions = [
        CommandAction("-set", "key"), CommandAction("-get"), CommandAction("-remove"),
    ]

    private static let certificateActions = [
        CommandAction("-add", "certificate or fingerprint"), CommandAction("-list"),
        CommandAction("-remove", "fingerprint"),
    ]

    private static let registrationActions = [
        CommandAction("-add", "package", options: RegistrationAddition.options),
        CommandAction("-list"), CommandAction("-remove", "registration"),
        CommandAction("-removeMatching", "package and age, such as `com.example.app,30d`"),
    ]

    private static let domainActions = [
        CommandAction(
            "-add", "domain",
            options: [
                CommandOption("-pinOnly"), CommandOption("-keySetKID", .text), CommandOption("-jwe"),
                CommandOption("-pinType", .text), CommandOption("-port", .text),
            ]),
        CommandAction("-list"), CommandAction("-remove", "domain"), CommandAction("-getAll", "file name"),
        CommandAction("-setAll", "file name"),
    ]
}
