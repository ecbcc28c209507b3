internal import Accounts
internal import PolicyEngine

/// The annotation policy `all` on the whole account (R5.4).
enum AnnotatesEverything: LintCheck {
    static let information = LintInformation(
        code: "annotates-everything",
        why: "anyone with a token of a rejected device can read why it was rejected, and work around it",
        mend: "name few flags, such as by `risk`, and give the devices of testers a policy of their own",
        trips: "policy: default,default,all\n", passes: "policy: default,default,risk\n")

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        guard linted.account.policy.annotation.namesEverything else { return [] }
        return [LintFinding(message: AccountWarning.annotatesEverything, position: linted.position(of: "policy"))]
    }
}
