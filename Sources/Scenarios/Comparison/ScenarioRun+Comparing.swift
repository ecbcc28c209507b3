internal import Figures
package import PolicyEngine
internal import Replay

// A run that goes side by side with another one.
extension ScenarioRun {
    /// The comparison of this run with one under another account.
    ///
    /// - Parameter inForce: When that is in force; `nil` where it is from the start.
    func comparison(with other: Account, inForce: Instant?) -> ResultComparison {
        ResultComparison(
            [service.engine.history.latest, other], inForce: inForce, attributes: &service.symbols.attributes)
    }

    /// Compares what clients got in the latest step with what they got in the other run.
    func compare(with other: ScenarioRun, in comparison: inout ResultComparison) {
        for (mine, theirs) in zip(received, other.received) {
            let install = devices.installs[mine.group][mine.number]
            var attestation = install.attestation
            attestation.time = time
            comparison.count(
                before: mine, after: theirs, attestation, on: install.evidence.system,
                sides: { (side, other.side) })
        }
    }

    /// Changes the account, as a command of a step would (R1.5).
    func change(to account: Account, at time: Instant) { service.change(to: account, at: time) }

    /// The flags.
    var catalogue: FlagCatalogue { service.symbols.catalogue }

    /// The figures so far.
    var figures: Figures { service.figures }

    /// The engine and the numbering, by which names are found.
    var side: ComparedSide { ComparedSide(engine: service.engine, symbols: service.symbols) }
}

extension Scenario {
    /// The same scenario with another account from the start; for scenarios with one.
    package func replacingAccount(by account: Account) -> Scenario {
        var copy = self
        copy.accounts = [NamedAccount(name: accounts.first?.name ?? "", account: account)]
        return copy
    }
}
