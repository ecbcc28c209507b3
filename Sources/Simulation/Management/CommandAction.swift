/// What can be done with a topic of the management language, and with which options.
struct CommandAction: Sendable {
    /// The first option, such as `-add`.
    let name: String
    /// What the action itself takes, such as `id`; `nil` when nothing.
    let operand: String?
    /// Further options, and whether each takes a value.
    let options: [(name: String, takesValue: Bool)]

    init(_ name: String, _ operand: String? = nil, options: [(name: String, takesValue: Bool)] = []) {
        self.name = name
        self.operand = operand
        self.options = options
    }

    /// The topics and their actions: the one grammar of the language.
    static let topics: [(name: String, actions: [CommandAction])] = [
        (
            "policy",
            [
                CommandAction("-set", "policy"), CommandAction("-addRejectFlag", "flag"),
                CommandAction("-removeRejectFlag", "flag"), CommandAction("-setARC", "value, `on` or `off`"),
            ]
        ),
        (
            "device",
            [
                CommandAction(
                    "-add", "device ID",
                    options: [
                        ("-policy", true), ("-label", true), ("-pinMode", true), ("-banMode", true),
                        ("-probeURL", true),
                    ]),
                CommandAction("-remove", "device ID"), CommandAction("-clearDeviceState"),
                CommandAction("-getDeviceState", "device ID"),
                CommandAction("-getInfo", "device ID, `new-did` or `filtered`", options: [("-clear", false)]),
                CommandAction("-getFetches", "form, `timed` or `untimed`", options: [("-clear", false)]),
            ]
        ),
        (
            "filter",
            [
                CommandAction(
                    "-add", "name",
                    options: [
                        ("-key", true), ("-matchValue", true), ("-conjunction", true), ("-regex", false),
                        ("-newDIDOnly", false), ("-captureDeviceInfo", false), ("-reject", false), ("-ban", false),
                        ("-risky", false), ("-execFilteredSecPolicy", false),
                    ]),
                CommandAction("-remove", "name"), CommandAction("-setSamplingPercentage", "percentage"),
            ]
        ),
        (
            "devicecheck",
            [
                CommandAction(
                    "-addAuthKey", "file name", options: [("-teamID", true), ("-bits", true), ("-expiry", true)]),
                CommandAction("-remove"),
            ]
        ),
        ("safetynet", [CommandAction("-set", "key"), CommandAction("-remove")]),
        (
            "appsigncert",
            [CommandAction("-add", "certificate or fingerprint"), CommandAction("-remove", "fingerprint")]
        ),
        (
            "registration",
            [
                CommandAction("-list"), CommandAction("-remove", "registration"),
                CommandAction("-removeMatching", "package and age, such as `com.example.app,30d`"),
            ]
        ),
        (
            "api",
            [
                CommandAction(
                    "-add", "domain",
                    options: [
                        ("-pinOnly", false), ("-keySetKID", true), ("-jwe", false), ("-pinType", true),
                        ("-port", true),
                    ]),
                CommandAction("-remove", "domain"),
            ]
        ),
    ]

    /// Topics of the manual that have no effect here yet, and so are refused.
    static let laterTopics = ["keyset", "monitoring", "role", "sdk", "secret", "token", "user"]

    /// Actions of the manual that have no effect here yet, and so are refused.
    static let laterActions = [
        "policy": [
            "-get", "-getARC", "-setIPTracking", "-getIPTracking", "-setAudience", "-getAudience", "-setIssuer",
            "-getIssuer",
        ],
        "device": ["-list", "-removeMatching"],
        "filter": ["-list", "-getSamplingPercentage"],
        "devicecheck": ["-get"],
        "safetynet": ["-get"],
        "appsigncert": ["-list"],
        "registration": ["-add", "-cloneToAllDelegateAccounts", "-cloneToAccounts"],
        "api": ["-list", "-getAll", "-setAll"],
    ]
}
