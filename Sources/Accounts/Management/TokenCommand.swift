/// A command of the topic `token` (manual, Checking Token Validity, Long Lived Approov Tokens, Generating Example Tokens).
package enum TokenCommand: Hashable, Sendable {
    /// `-check token`, which may be a loggable one
    case check(String)
    /// `-genExample domain [-type type] [-setDataHashInToken data]`
    case example(domain: String, ExampleType, data: String?)
    /// `-genLongLived name,days`
    case longLived(name: String, days: Int)

    /// What kind of token is made as an example.
    package enum ExampleType: String, Hashable, Sendable, CaseIterable {
        case valid
        /// As one of a failed attestation.
        case invalid
        /// A valid one as the failover makes them.
        case failover
    }

    /// Whether it needs an admin role, as the manual says.
    var needsAdmin: Bool {
        if case .longLived = self { true } else { false }
    }
}
