package import Documents
internal import Figures
package import PolicyEngine
package import Replay

/// Runs scenarios and puts their results together.
package struct ScenarioRunner {
    private let seed: UInt64?
    private let isVerbose: Bool
    private let decisionsPath: String?
    private let printedPath: String?
    private let coversRules: Bool
    private let keepsSeries: Bool
    private let measuresTime: Bool
    private let jobs: Int
    private let progress: Progress
    private let redactor: Redactor?
    private let patterns: PatternMatcher?

    /// - Parameters:
    ///   - seed: Goes before the seed of every scenario.
    ///   - isVerbose: True if the results have a line for every step.
    ///   - decisionsPath: The file for the decisions of all scenarios, numbered through.
    ///   - printedPath: The file for what the commands of all scenarios print.
    ///   - coversRules: True if the results say what was exercised.
    ///   - keepsSeries: True if live metrics are kept by minute (R13.2a).
    ///   - measuresTime: True if the results say how long each took.
    ///   - jobs: The number of scenarios that may run at a time; the results do not depend on it.
    ///   - progress: Gets how far the run is, after every step.
    ///   - redactor: The redactor that hides whose the decisions are; `nil` shows it.
    ///   - patterns: Runs the patterns of one scenario that is run again and again; `nil` gives each run its own.
    package init(
        seed: UInt64? = nil, isVerbose: Bool = false, decisionsPath: String? = nil, printedPath: String? = nil,
        coversRules: Bool = false, keepsSeries: Bool = false, measuresTime: Bool = false, jobs: Int = 1,
        progress: Progress = Progress(), redactor: Redactor? = nil, patterns: PatternMatcher? = nil
    ) {
        self.seed = seed
        self.isVerbose = isVerbose
        self.decisionsPath = decisionsPath
        self.printedPath = printedPath
        self.coversRules = coversRules
        self.keepsSeries = keepsSeries
        self.measuresTime = measuresTime
        // Decisions are numbered through, one scenario after another.
        self.jobs = decisionsPath == nil ? jobs : 1
        self.progress = progress
        self.redactor = redactor
        self.patterns = patterns
    }

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
        var run = ScenarioRun(
            scenario, seed: seed, isVerbose: isVerbose, firstIndex: firstIndex, coversRules: coversRules,
            keepsSeries: keepsSeries, redactor: redactor, patterns: patterns ?? PatternMatcher(keepsAll: true))
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
