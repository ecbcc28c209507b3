package import PolicyEngine

/// What a command is carried out in: all that it needs to know beside the account.
package struct CommandContext {
    /// Now; `nil` where there is no such thing, as before a replay.
    package var time: Instant?
    /// The devices that attested in the last two minutes, for `device -add latest` (R6.2).
    package var latest: () -> [DeviceID] = { [] }
    /// The folder in which the command is typed, with `/` at its end; empty for the working directory.
    package var folder = ""
    /// As whom it is given.
    package var role = CommandRole.admin

    package init(time: Instant? = nil, folder: String = "", role: CommandRole = .admin) {
        self.time = time
        self.folder = folder
        self.role = role
    }
}
