internal import PolicyEngine

/// An account and the same after a change.
struct ChangedAccount {
    let before: Account
    let after: Account
    /// The decided rules on which the change itself rests.
    let decidedRules: DecidedRules

    init(_ before: Account, _ after: Account, decidedRules: DecidedRules = []) {
        (self.before, self.after, self.decidedRules) = (before, after, decidedRules)
    }
}
