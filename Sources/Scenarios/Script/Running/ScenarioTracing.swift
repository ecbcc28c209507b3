package import Documents
package import PolicyEngine
package import Replay

/// Runs a scenario to see what a device met in it: every request and fetch, and every step that concerned it.
package struct ScenarioTracing {
    private let scenario: Scenario
    private let seed: UInt64?
    private let decidedRules: DecidedRules

    /// - Parameters:
    ///   - seed: Goes before its own.
    ///   - decidedRules: The decided rules on which its account rests, where the command line changed it.
    package init(_ scenario: Scenario, seed: UInt64? = nil, decidedRules: DecidedRules = []) {
        (self.scenario, self.seed, self.decidedRules) = (scenario, seed, decidedRules)
    }

    /// The name of the scenario.
    package var name: String { scenario.name }

    /// The installs that are followed.
    package enum Subject: Sendable {
        /// Whoever is this device first.
        case device(SoughtDevice)
        /// The first device of a group, by its index.
        case group(Int)
        /// The first device of every group.
        case everyGroup
    }

    /// The group of a name.
    package func subject(named name: String) -> Subject? {
        scenario.groups.firstIndex { $0.name == name }.map { .group($0) }
    }

    /// Follows a device, or the first device of each group.
    ///
    /// - Parameters:
    ///   - subject: The subject that is followed.
    ///   - diagnostics: Gets what makes the scenario invalid while it runs.
    /// - Returns: The events that they met in the order of time, equal ones in a row being one, and the decided rules on which
    ///   these rest; `nil` where the scenario has no such device.
    package func run(
        _ subject: Subject, diagnostics: inout Diagnostics
    ) -> (steps: [StepTrace], decidedRules: DecidedRules)? {
        let tracer =
            switch subject {
            case .device(let id): StepTracer(device: id)
            case .group(let index): StepTracer(installs: [.init(group: index, number: 0)])
            case .everyGroup:
                StepTracer(installs: scenario.groups.indices.map { .init(group: $0, number: 0) })
            }
        var run = ScenarioRun(scenario, seed: seed, tracer: tracer)
        for occurrence in run.timeline { run.perform(occurrence, diagnostics: &diagnostics) }
        run.findTraced()
        guard let followed = run.record.tracer?.followed, !followed.isEmpty else { return nil }
        let installs = followed.map { run.devices.installs[$0.group][$0.number] }
        return (run.traces, decidedRules.union(run.decidedRules(of: installs)))
    }
}
