internal import Accounts
package import Documents
internal import PolicyEngine

extension Scenario {
    /// The steps in which a domain gets a chain that has none of the pins which an account then has for it.
    ///
    /// - Complexity: O(steps, repetitions included, up to those that are rehearsed).
    package var rotationsWithoutPin: [(domain: String, position: SourcePosition)] {
        var accounts = accounts.map(\.account)
        var found: [(domain: String, position: SourcePosition)] = []
        var seen: Set<Int> = []
        var backends = backends
        for occurrence in Timeline(steps, drawing: nil).prefix(CommandRehearsal.limit) {
            let step = steps[occurrence.step]
            if let action = step.action as? CommandStep, action.command.changesAccount {
                // A command that fails here is reported when the scenario is loaded or run.
                let context = context(at: start + occurrence.time, backends)
                _ = try? action.command.apply(to: &accounts[action.account], in: context)
            }
            guard let changes = (step.action as? ServeStep)?.changes else { continue }
            backends.apply(changes)
            guard seen.insert(occurrence.step).inserted else { continue }
            found += changes.filter { change in accounts.contains { $0.blocks(change) } }
                .map { ($0.domain, step.position) }
        }
        return found
    }
}

extension Account {
    /// True if the chain that a backend gets has none of the pins of its host.
    fileprivate func blocks(_ change: Backends.Change) -> Bool {
        guard let chain = change.chain else { return false }
        let presented = chain.map(PublicKeyPin.pin(inChain:))
        let applied = PinConfiguration(self).applied(to: change.domain, mode: .pin, usingRoots: true)
        return applied.map { !$0.pins.contains(where: presented.contains) } ?? false
    }
}
