internal import PolicyEngine

/// A development key in an account (R21.5).
enum DevelopmentKey: LintCheck {
    static let information = LintInformation(
        code: "development-key",
        why: "anyone who finds the key in an app passes without being registered, and on an emulator",
        mend: "take `dev-key` out of the account of published apps",
        trips: "dev-key: letmein\n", passes: "account: shop\n")

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        guard linted.account.developmentKey != nil else { return [] }
        return [LintFinding(message: "the account has a development key", position: linted.position(of: "dev-key"))]
    }
}
