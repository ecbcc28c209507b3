/// What an expectation names and must have been reached for it to mean anything.
///
/// One that allows 0 and more passes also where the filter never matched: then it is vacuous. One that asks for absence,
/// 0 and nothing else, is not.
package enum Reach: Hashable, Sendable {
    /// A filter, matched by some attestation of one of these accounts.
    case filter(String, accounts: [Int])
    /// A rejection policy, applied to some attestation of an account.
    case policy(String, account: Int)
}
