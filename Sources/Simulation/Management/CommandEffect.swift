/// What carrying out a command came to, beside the changed account.
package struct CommandEffect: Hashable, Sendable {
    /// What is legal and probably not meant.
    package var warnings: [String] = []
    /// Whether every device is to be forgotten, at once (R6.5).
    package var clearsDeviceState = false
    /// What is asked of the service rather than of the account.
    package var query: DeviceQuery?
    /// The lines that the command prints.
    package var printed: [String] = []
}
