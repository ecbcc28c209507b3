package import Documents

/// Which changes of accounts some scenarios notice.
package struct MutationReport: Sendable {
    /// The changes, in the order of the scenarios and of what the accounts hold.
    package var mutants: [Mutant] = []

    /// A change of an account.
    package struct Mutant: Hashable, Sendable {
        /// The file of the account, or of the scenario that holds it.
        package let file: String
        /// The name of the account.
        package let account: String
        /// The management command that makes the change, or words if there is none.
        package let change: String
        package var effect: Effect
    }

    /// The effect of a change on the scenarios.
    package enum Effect: Hashable, Sendable {
        /// An expectation of a scenario fails.
        case noticed
        /// Clients get something else, and no expectation fails.
        case unnoticed(Gap)
        /// Nothing that any scenario does ends otherwise.
        case idle
    }

    /// The position at which an expectation is missing.
    package struct Gap: Hashable, Sendable {
        /// The scenario.
        package let file: String
        /// The first step in which a client gets something else.
        package let position: SourcePosition
        /// The difference, in words: `verdict pass, changed: fail`.
        package let difference: String
    }

    /// The number of changes that are noticed.
    package var noticed: Int { mutants.count { $0.effect == .noticed } }

    /// The number of changes that have an effect, noticed or not.
    package var effective: Int { mutants.count { $0.effect != .idle } }

    /// The number of changes that have none.
    package var idle: Int { mutants.count - effective }

    /// Adds the effect of a change on one scenario; a change that one scenario notices is noticed.
    mutating func note(_ mutant: Mutant, at known: Int?) {
        guard let known else { return mutants.append(mutant) }
        switch (mutants[known].effect, mutant.effect) {
        case (.idle, _), (_, .noticed): mutants[known].effect = mutant.effect
        case (.noticed, _), (.unnoticed, _): break
        }
    }
}
