/// As whom a management command is given (manual, User Roles).
package enum CommandRole: String, Hashable, Sendable, CaseIterable {
    /// All that development needs, and nothing that could lock out a whole account.
    case dev
    /// Everything.
    case admin
}
