/// Runs scenarios one after another and puts their results together.
package struct ScenarioRunner {
    private let seed: UInt64?
    private let isVerbose: Bool
    private let decisionsPath: String?
    private let printedPath: String?
    private let coversRules: Bool
    private let measuresTime: Bool
    private let progress: Progress

    /// - Parameters:
    ///   - seed: Goes before the seed of every scenario.
    ///   - isVerbose: Whether every step is told in the results.
    ///   - decisionsPath: Where to write the decisions of all scenarios, numbered through.
    ///   - printedPath: Where to write what the commands of all scenarios print.
    ///   - coversRules: Whether it is told what was exercised, and vacuous expectations fail.
    ///   - measuresTime: Whether it is told how long each took.
    ///   - progress: Told after every step how far the run is.
    package init(
        seed: UInt64? = nil, isVerbose: Bool = false, decisionsPath: String? = nil, printedPath: String? = nil,
        coversRules: Bool = false, measuresTime: Bool = false, progress: Progress = Progress()
    ) {
        self.seed = seed
        self.isVerbose = isVerbose
        self.decisionsPath = decisionsPath
        self.printedPath = printedPath
        self.coversRules = coversRules
        self.measuresTime = measuresTime
        self.progress = progress
    }

    /// Runs scenarios.
    ///
    /// - Parameters:
    ///   - scenarios: What to run, in this order.
    ///   - diagnostics: Gets what makes a scenario invalid while it runs, and a file that cannot be written.
    /// - Returns: A result for each, in the same order.
    package func run(_ scenarios: [Scenario], diagnostics: inout Diagnostics) -> [ScenarioResult] {
        do throws(ReplayFailure) {
            var decisions = try LineFile(path: decisionsPath)
            var printed = try LineFile(path: printedPath)
            var results: [ScenarioResult] = []
            var (index, fetches) = (0, 0)
            for (place, scenario) in scenarios.enumerated() {
                let clock = measuresTime ? ContinuousClock.now : nil
                var run = ScenarioRun(
                    scenario, seed: seed, isVerbose: isVerbose, firstIndex: decisions.isOpen ? index : nil,
                    coversRules: coversRules)
                var result = try run.run(
                    decisions: &decisions,
                    progress: { count, share in
                        let done = (Double(place) + share) / Double(scenarios.count)
                        progress.report(fetches: fetches + count, share: done)
                    },
                    diagnostics: &diagnostics)
                index += result.fetches.attested
                fetches += result.fetches.total
                for line in result.printed { try printed.write(Array("\(line)\n".utf8)) }
                result.duration = clock.map { $0.duration(to: .now) }
                noteLimits(of: result, &diagnostics)
                results.append(result)
            }
            if !diagnostics.hasErrors {
                try decisions.finish()
                try printed.finish()
            }
            return results
        } catch {
            diagnostics.add(error.diagnostic)
            return []
        }
    }

    // R7.2.
    private func noteLimits(of result: ScenarioResult, _ diagnostics: inout Diagnostics) {
        for filter in result.figures.filters where filter.limitHits > 0 {
            diagnostics.add(filter.limitWarning(file: result.file))
        }
    }
}
