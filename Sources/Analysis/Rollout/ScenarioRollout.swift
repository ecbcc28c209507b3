package import Documents
internal import PolicyEngine
package import Scenarios

/// Evaluates a rollout on the population of a scenario, with its cached tokens and the propagation of each step.
package struct ScenarioRollout {
    private let plan: RolloutPlan
    private let scenario: SteppedScenario
    // The same with the change for all devices at the start.
    private let changedAtOnce: SteppedScenario
    private let start: Instant
    private let runs: RolloutRuns
    private let jobs: Int

    /// - Parameters:
    ///   - plan: The rollout; of the account of the scenario.
    ///   - delay: Seconds from the start of the scenario to that of the rollout.
    ///   - seed: Goes before the scenario's own seed.
    ///   - runs: The runs in which the rollout is watched.
    ///   - jobs: The maximum number of runs at a time; the result does not depend on it.
    package init(
        _ plan: RolloutPlan, _ scenario: Scenario, delay: Int, seed: UInt64?, runs: RolloutRuns, jobs: Int
    ) {
        (self.plan, self.runs, self.jobs) = (plan, runs, jobs)
        start = scenario.start + delay
        self.scenario = SteppedScenario(
            scenario, before: plan.before, changes: plan.changes, start: delay, seed: seed)
        changedAtOnce = SteppedScenario(
            scenario, before: plan.before, changes: [plan.atOnce], start: delay, seed: seed)
    }

    /// Runs the scenario with the rollout and without it, with the change for all at once, and once more for each run.
    ///
    /// - Returns: The rollout, unless there are errors among the diagnostics.
    package func run() -> (rollout: Rollout?, diagnostics: Diagnostics) {
        var diagnostics = Diagnostics()
        if let refusal = scenario.refusal { diagnostics.add(refusal) }
        guard !diagnostics.hasErrors else { return (nil, diagnostics) }
        var collector = RolloutCollector(steps: plan.steps.count)
        let ended = scenario.compare { collector.count($0) }
        diagnostics.merge(ended.diagnostics)
        guard !diagnostics.hasErrors else { return (nil, diagnostics) }
        var atOnce = RolloutCollector(steps: 1)
        _ = changedAtOnce.compare { atOnce.count($0) }
        let rollout = collector.rollout(
            plan, isOfCapture: false, from: start, to: ended.last, devices: ended.devices, runs: runs,
            watches: watches(), atOnce: atOnce.firstRejections)
        return (rollout, diagnostics)
    }

    private func watches() -> [RolloutWatch] {
        guard plan.filteredPolicy != nil else { return [] }
        let (plan, scenario, runs) = (plan, scenario, runs)
        return Workers.map(Array(0..<runs.count), jobs: jobs) { run, _ in
            var (watch, failing) = (RolloutWatch(plan.steps.map(\.stage)), Set<DayOfDevice>())
            _ = scenario.run(as: runs.name(of: plan.before, run: run)) { fetch in
                guard let step = fetch.step, fetch.isRejected, fetch.isEvaluated, fetch.side != .neither else { return }
                let day = DayOfDevice(device: fetch.device, day: fetch.time.dayNumber, step: step)
                guard failing.insert(day).inserted else { return }
                watch.observeFailure(isSampled: fetch.side == .changed, step: step, at: fetch.time)
            }
            return watch
        }
    }
}
