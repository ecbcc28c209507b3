internal import Accounts
package import Documents
package import PolicyEngine

/// A scenario whose account is changed step by step: its clients cache tokens, and each change is in force after its
/// propagation (R1.5).
package struct SteppedScenario: Sendable {
    private let scenario: Scenario
    private let before: Account
    private let changes: [SteppedChange]
    private let start: Instant
    private let seed: UInt64?

    /// - Parameters:
    ///   - scenario: A scenario with one account.
    ///   - before: The account at the start.
    ///   - changes: The steps, in the order of time.
    ///   - start: The start of the rollout, in seconds from that of the scenario.
    ///   - seed: Goes before the scenario's own.
    package init(
        _ scenario: Scenario, before: Account, changes: [SteppedChange], start: Int, seed: UInt64?
    ) {
        (self.scenario, self.before, self.changes, self.seed) = (scenario, before, changes, seed)
        self.start = scenario.start + start
    }

    /// The reason why the account cannot be changed step by step; `nil` if it can.
    package var refusal: Diagnostic? {
        scenario.steps.first { ($0.action as? CommandStep)?.command.changesAccount == true }.map { changing in
            Diagnostic(
                file: scenario.file, position: changing.position,
                message: "the scenario changes the account itself, and a rollout would undo that",
                hint: "a scenario without such commands")
        }
    }

    /// The numbers of devices in fetches, the time of the last step, and what makes the scenario invalid.
    package struct Ended: Sendable {
        package let devices: DeviceTable
        package let last: Instant
        package let diagnostics: Diagnostics
    }

    /// Runs the scenario with the rollout and without it, and hands over all fetches.
    package func compare(_ note: (SteppedFetch) -> Void) -> Ended { run(as: before.name, isCompared: true, note) }

    /// Runs the scenario with the rollout alone, and hands over all fetches until all devices are in it.
    ///
    /// - Parameter name: The name of the account, by which other devices are sampled (R7.6).
    package func run(as name: String, _ note: (SteppedFetch) -> Void) -> Ended {
        run(as: name, isCompared: false, note)
    }

    private func run(as name: String, isCompared: Bool, _ note: (SteppedFetch) -> Void) -> Ended {
        let first = scenario.replacingAccount(by: before.named(name))
        var stepped = ScenarioRun(first, ScenarioRunner(seed: seed), keepsResults: true)
        var other = isCompared ? ScenarioRun(first, ScenarioRunner(seed: seed), keepsResults: true) : nil
        var (made, diagnostics, last) = (0, Diagnostics(), scenario.start)
        for occurrence in stepped.timeline {
            last = scenario.start + occurrence.time
            // Before what happens at the same time.
            while made < changes.count, start + changes[made].offset <= last {
                stepped.service.change(to: changes[made].account.named(name), at: start + changes[made].offset)
                made += 1
            }
            let step = changes.lastIndex { start + $0.offset + $0.account.propagation <= last }
            if !isCompared, let step, changes[step].isComplete { break }
            stepped.perform(occurrence, diagnostics: &diagnostics)
            other?.perform(occurrence, diagnostics: &diagnostics)
            for (index, received) in stepped.received.enumerated() {
                let device = stepped.devices.installs[received.group][received.number].attestation.device
                let others = other?.received[index]
                for (fetch, before) in [(received.earlier, others?.earlier), (received.fetch, others?.fetch)] {
                    guard let fetch else { continue }
                    note(
                        SteppedFetch(fetch, other: before, of: device, at: last, step: step, after: changes))
                }
            }
        }
        return Ended(devices: stepped.service.symbols.devices, last: last, diagnostics: diagnostics)
    }
}

extension Account {
    fileprivate func named(_ name: String) -> Account {
        var account = self
        account.name = name
        return account
    }
}
