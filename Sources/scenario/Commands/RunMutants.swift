internal import Scenarios

/// `scenario run --mutants`: checks that the scenarios notice when an account is changed.
enum RunMutants {
    /// Asks for it.
    static let option = OptionDefinition(
        "--mutants", "Make one change at a time to the accounts, and report the changes that no expectation notices.")

    /// A limit.
    static let minimum = Limit<MutationReport>(
        "--min-mutants", .least,
        summary: "Exit with 4 when a smaller share of these changes is noticed; includes --mutants."
    ) { LimitedFigure($0.noticed, of: $0.effective, "changes are noticed") }

    /// Changes the accounts of scenarios, if that was asked for and all of them pass.
    static func report(
        on scenarios: [Scenario], _ results: [ScenarioResult], _ arguments: ParsedArguments
    ) -> MutationReport? {
        guard arguments.isSet(option) || arguments.isSet(minimum.option), results.allSatisfy(\.passed) else {
            return nil
        }
        return MutationRunner(seed: arguments.integer(of: .seed, as: UInt64.self), jobs: arguments.jobs).run(scenarios)
    }

    /// Shows that fewer changes are noticed than the limit asks for, or that none had any effect.
    ///
    /// - Parameter allowsEmpty: True if it is no error that there was nothing to notice.
    /// - Returns: The exit status for that; `nil` if the limit is kept.
    static func showExceeded(
        _ report: MutationReport?, _ arguments: ParsedArguments, allowsEmpty: Bool, _ console: Console
    ) -> ExitStatus? {
        guard let report, let checked = minimum.check(report, arguments) else { return nil }
        guard report.effective > 0 else {
            if allowsEmpty { return nil }
            console.show(
                error: "nothing was exercised: no change of an account affects a client, so "
                    + "`\(minimum.option.name)` has nothing to check")
            return .nothingRan
        }
        return checked.show(console) ? .limitExceeded : nil
    }
}
