package import PolicyEngine
internal import Replay

// A run that goes side by side with another one.
extension ScenarioRun {
    /// What the fetches of the latest step came to, where that is kept: who, and with what result.
    struct FetchOutcome {
        let group: Int
        let number: Int
        let outcome: ComparedDecision
        /// Whether the client attested for it.
        let isAttested: Bool
    }

    /// What compares this run with one under another account.
    func comparison(with other: Account) -> FetchComparison {
        FetchComparison([world.engine.history.latest, other], attributes: &world.symbols.attributes)
    }

    /// Compares the fetches of the latest step with those of the other run.
    func compare(with other: ScenarioRun, in comparison: inout FetchComparison) {
        for (mine, theirs) in zip(outcomes, other.outcomes) {
            let install = installs[mine.group][mine.number]
            var attestation = install.attestation
            attestation.time = time
            comparison.count(
                attestation, on: install.evidence.system, before: mine.outcome, after: theirs.outcome,
                isAttested: mine.isAttested || theirs.isAttested, sides: { (side, other.side) })
        }
    }

    /// The flags.
    var catalogue: FlagCatalogue { world.symbols.catalogue }

    /// The figures so far.
    var figures: Figures { world.figures }

    private var side: ComparedSide { ComparedSide(engine: world.engine, symbols: world.symbols) }
}

extension Scenario {
    /// The same scenario with another account from the start; for scenarios with one.
    package func replacingAccount(by account: Account) -> Scenario {
        var copy = self
        copy.accounts = [NamedAccount(name: accounts.first?.name ?? "", account: account)]
        return copy
    }
}
