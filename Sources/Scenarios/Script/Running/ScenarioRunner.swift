package import Documents
internal import Figures
package import PolicyEngine
package import Replay

/// Runs scenarios and puts their results together.
package struct ScenarioRunner {
    /// Goes before the seed of every scenario.
    package var seed: UInt64?
    /// True if the results have a line for every step.
    package var isVerbose = false
    /// The file for the decisions of all scenarios, numbered through.
    package var decisionsPath: String?
    /// The file for what the commands of all scenarios print.
    package var printedPath: String?
    /// True if the results say what was exercised.
    package var coversRules = false
    /// True if live metrics are kept by minute (R13.2a).
    package var keepsSeries = false
    /// True if the results say how long each took.
    package var measuresTime = false
    /// The number of scenarios that may run at a time, where no decisions are written; the results do not depend on it.
    package var jobs = 1
    /// Gets how far the run is, after every step.
    package var progress = Progress()
    /// The redactor that hides whose the decisions are; `nil` shows it.
    package var redactor: Redactor?
    /// Runs the patterns of one scenario that is run again and again; `nil` gives each run its own.
    package var patterns: PatternMatcher?

    /// Runs scenarios.
    ///
    /// - Parameters:
    ///   - scenarios: The scenarios to run, in this order.
    ///   - diagnostics: Gets what makes a scenario invalid while it runs, and a file that cannot be written.
    /// - Returns: A result for each, in the same order.
    package func run(_ scenarios: [Scenario], diagnostics: inout Diagnostics) -> [ScenarioResult] {
        do throws(ReplayFailure) {
            var decisions = try LineFile(path: decisionsPath)
            var printed = try LineFile(path: printedPath, isSecret: true)
            let finished = decisions.isOpen ? try inTurn(scenarios, &decisions) : try sideBySide(scenarios)
            for run in finished {
                diagnostics.merge(run.diagnostics)
                for line in run.result.printed { try printed.write(Array("\(line)\n".utf8)) }
                noteLimits(of: run.result, &diagnostics)
            }
            if !diagnostics.hasErrors {
                try decisions.finish()
                try printed.finish()
            }
            return finished.map(\.result)
        } catch {
            diagnostics.add(error.diagnostic)
            return []
        }
    }

    // A scenario that was run, with what makes it invalid.
    private struct FinishedRun: Sendable {
        let result: ScenarioResult
        let diagnostics: Diagnostics
    }

    // The decisions of all scenarios are numbered through.
    private func inTurn(_ scenarios: [Scenario], _ decisions: inout LineFile) throws(ReplayFailure) -> [FinishedRun] {
        var (finished, index, fetches) = ([FinishedRun](), 0, 0)
        for (number, scenario) in scenarios.enumerated() {
            let finishedRun = try run(scenario, firstIndex: index, decisions: &decisions) { count, share in
                let done = (Double(number) + share) / Double(scenarios.count)
                progress.report(fetches: fetches + count, share: done)
            }
            index += finishedRun.result.fetches.attested
            fetches += finishedRun.result.fetches.total
            finished.append(finishedRun)
        }
        return finished
    }

    private func sideBySide(_ scenarios: [Scenario]) throws(ReplayFailure) -> [FinishedRun] {
        let done = Lock((fetches: 0, share: 0.0))
        let results = Workers.map(scenarios, jobs: jobs) { scenario, _ in
            let latest = Lock((fetches: 0, share: 0.0))
            return runAlone(scenario) { count, share in
                let before = latest.withLock { latest in
                    defer { latest = (count, share) }
                    return latest
                }
                let all = done.withLock { done in
                    done.fetches += count - before.fetches
                    done.share += share - before.share
                    return done
                }
                progress.report(fetches: all.fetches, share: all.share / Double(scenarios.count))
            }
        }
        var finished: [FinishedRun] = []
        for result in results { finished.append(try result.get()) }
        return finished
    }

    private func runAlone(_ scenario: Scenario, progress: (Int, Double) -> Void) -> Result<FinishedRun, ReplayFailure> {
        Result { () throws(ReplayFailure) in
            var nothing = try LineFile(path: nil)
            return try run(scenario, firstIndex: nil, decisions: &nothing, progress: progress)
        }
    }

    private func run(
        _ scenario: Scenario, firstIndex: Int?, decisions: inout LineFile, progress: (Int, Double) -> Void
    ) throws(ReplayFailure) -> FinishedRun {
        let clock = measuresTime ? ContinuousClock.now : nil
        var diagnostics = Diagnostics()
        var run = ScenarioRun(scenario, self, firstIndex: firstIndex)
        var result = try run.run(decisions: &decisions, progress: progress, diagnostics: &diagnostics)
        result.duration = clock.map { $0.duration(to: .now) }
        return FinishedRun(result: result, diagnostics: diagnostics)
    }

    // R7.2.
    private func noteLimits(of result: ScenarioResult, _ diagnostics: inout Diagnostics) {
        for filter in result.figures.filters where filter.limitHits > 0 {
            diagnostics.add(filter.limitWarning(file: result.file))
        }
    }
}

extension ScenarioRunner {
    package init(seed: UInt64?) {
        self.init()
        self.seed = seed
    }
}
