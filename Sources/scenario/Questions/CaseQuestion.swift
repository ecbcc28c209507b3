internal import Accounts
internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// The parts of a comparison for those who have to decide about the change.
enum CaseQuestion {
    /// Evaluates the captures anew for each part that was asked for.
    ///
    /// - Parameters:
    ///   - accounts: The account before the change, and after it.
    ///   - comparison: The effect of the change.
    ///   - question: The question of the captures, as it is for figures alone.
    static func parts(
        _ accounts: ChangedAccount, _ comparison: Comparison, _ question: CaptureQuestion
    ) throws(CommandFailure) -> ChangeCase {
        var (parts, question) = (ChangeCase(), question)
        let call = question.call
        question.request.account = accounts.before
        parts.alternatives = try alternatives(accounts, comparison, question, call)
        guard let text = call[CaseOptions.rollout] else { return parts }
        let stages = try CaseOptions.stages(text, of: CaseOptions.rollout)
        let plan = try call.reading { diagnostics in
            diagnostics.attempt(in: CaseOptions.rollout.name) { () throws(RolloutRefusal) in
                try RolloutPlan(from: accounts.before, to: accounts.after, in: stages)
            }
        }
        let outcome = try question.ask { request, progress in
            var unlabelled = request
            unlabelled.labels = nil
            return CaptureRollout(
                plan, unlabelled, delay: 0, runs: RolloutRuns(count: RolloutRuns.usualCount, seed: 1),
                labels: request.labels, progress: progress
            ).run()
        }
        // The comparison has shown the warnings.
        if outcome.diagnostics.hasErrors { try call.require(outcome.diagnostics) }
        parts.rollout = outcome.rollout
        parts.rollout?.cost = try LabelOptions.cost(call.arguments)
        return parts
    }

    private static func alternatives(
        _ accounts: ChangedAccount, _ comparison: Comparison, _ question: CaptureQuestion, _ call: CommandCall
    ) throws(CommandFailure) -> Alternatives? {
        guard let limit = call[CaseOptions.alternatives], let change = comparison.changes.labels?.lanes.last else {
            return nil
        }
        var selection = CaptureEdits.Selection()
        selection.cost = try LabelOptions.cost(call.arguments)
        let outcome = try question.ask { CaptureEdits($0, FilterReview(), selection).run(progress: $1) }
        if outcome.diagnostics.hasErrors { try call.require(outcome.diagnostics) }
        return outcome.effects?.alternatives(
            to: change, making: accounts.after, of: accounts.before, limit: limit)
    }

    /// Refuses captures that cannot be read more than once.
    static func check(_ request: ReplayRequest, _ call: CommandCall) throws(CommandFailure) {
        guard let option = CaseOptions.all.first(where: call.isSet), let reason = request.rereadingRefusal else {
            return
        }
        throw .usage("`\(option.name)` reads captures more than once, and \(reason)")
    }
}
