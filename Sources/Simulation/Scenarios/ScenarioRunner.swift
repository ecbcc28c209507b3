/// Runs scenarios one after another and puts their results together.
package struct ScenarioRunner: Sendable {
    private let seed: UInt64?
    private let isVerbose: Bool
    private let decisionsPath: String?

    /// - Parameters:
    ///   - seed: Goes before the seed of every scenario.
    ///   - isVerbose: Whether every step is told in the results.
    ///   - decisionsPath: Where to write the decisions of all scenarios, numbered through.
    package init(seed: UInt64? = nil, isVerbose: Bool = false, decisionsPath: String? = nil) {
        self.seed = seed
        self.isVerbose = isVerbose
        self.decisionsPath = decisionsPath
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
            var results: [ScenarioResult] = []
            var index = 0
            for scenario in scenarios {
                var run = ScenarioRun(
                    scenario, seed: seed, isVerbose: isVerbose, firstIndex: decisions.isOpen ? index : nil)
                let result = try run.run(decisions: &decisions, diagnostics: &diagnostics)
                index += result.fetches.attested
                results.append(result)
            }
            if !diagnostics.hasErrors { try decisions.finish() }
            return results
        } catch {
            diagnostics.add(error.diagnostic)
            return []
        }
    }
}
