internal import PolicyEngine
internal import Reports
internal import Scenarios

/// `scenario run --mutants`: checks that the scenarios notice when an account is changed.
enum RunMutants {
    /// Asks for it.
    static let option = OptionDefinition(
        name: "--mutants",
        summary: "Make one change at a time to the accounts, and report the changes that no expectation notices."
    )

    /// A limit.
    static let minimumOption = OptionDefinition(
        name: "--min-mutants",
        value: .text(placeholder: "P%"),
        summary: "Exit with 4 when a smaller share of these changes is noticed; includes --mutants."
    )

    /// The limit; `nil` where none was set.
    static func minimum(_ arguments: ParsedArguments) throws(UsageError) -> Percentage? {
        guard let text = arguments.value(of: minimumOption) else { return nil }
        guard text.hasSuffix("%"), let share = Percentage(text.dropLast()) else {
            throw UsageError(
                "`\(minimumOption.name)` takes a share, not \(UsageError.quote(text))", hint: "such as `90%`")
        }
        return share
    }

    /// Changes the accounts of scenarios, if that was asked for and all of them pass.
    static func report(
        on scenarios: [Scenario], _ results: [ScenarioResult], _ arguments: ParsedArguments
    ) -> MutationReport? {
        guard arguments.isSet(option) || arguments.isSet(minimumOption), results.allSatisfy(\.passed) else {
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
        guard let report, let minimum = try? minimum(arguments), !report.reaches(minimum) else { return nil }
        guard report.effective > 0 else {
            if allowsEmpty { return nil }
            console.show(
                error: "nothing was exercised: no change of an account affects a client, so "
                    + "`\(minimumOption.name)` has nothing to check")
            return .nothingRan
        }
        console.show(
            exceededLimit: "\(report.noticed) of \(report.effective) changes are noticed, less than "
                + "`\(minimumOption.name)` asks for")
        return .limitExceeded
    }
}
