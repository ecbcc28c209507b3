/// What carrying out a command came to, beside the changed account.
package struct CommandEffect: Hashable, Sendable {
    /// What is legal and probably not meant.
    package var warnings: [String] = []
    /// Whether every device is to be forgotten, at once (R6.5).
    package var clearsDeviceState = false
    /// What is asked of the service rather than of the account.
    package var query: DeviceQuery?
    /// The lines that answer a question.
    package var printed: [String] = []
    /// The files to write once it is confirmed.
    package var files: [CommandFile] = []
    /// What has to be confirmed first; `nil` where the command is carried out at once.
    package var confirmation: CommandConfirmation?
    /// The lines that say what was done.
    package var reported: [String] = []
}
