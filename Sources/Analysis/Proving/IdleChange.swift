package import PolicyEngine
internal import Proofs

/// Changes that turn no verdict, whatever the devices are, so that no sample has anything to say of them.
package enum IdleChange {
    // A change that is not decided in this time may turn a verdict.
    private static let limit = Duration.seconds(2)

    /// True if a proof shows that the change turns no verdict of any device.
    package static func isProved(from before: Account, to after: Account) -> Bool {
        let prover = Prover(before: before, after: after, limit: limit)
        return Prover.Direction.allCases.allSatisfy {
            if case .proved = prover.answer($0) { true } else { false }
        }
    }
}
