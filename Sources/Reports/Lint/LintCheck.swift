internal import PolicyEngine

/// Something that is legal in an account and hardly ever meant.
///
/// A check is a file of its own with its examples, which are its tests, too.
protocol LintCheck: Sendable {
    /// What the check is, and what it finds.
    static var information: LintInformation { get }

    /// What it finds in an account.
    static func findings(in account: LintedAccount, among all: [LintedAccount]) -> [LintFinding]
}
