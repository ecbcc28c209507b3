internal import Analysis
internal import Documents
internal import Figures
internal import Statistics

// Answers that are chosen by the figures that they are reported with are the best of all that were tried; so their
// intervals hold together for all of these. Those on a held-out part hold together for the answers alone.
extension SearchAnswers {
    private var intervalCount: Int { 3 * (heldOut == nil ? tried : heldOutAnswers) }
    // Answers that were left out because of their figures count, too.
    private var heldOutAnswers: Int { answers.count + leftOut }

    /// The intervals of an answer's figures; none where no level was given.
    func intervals(of answer: Answer) -> [IntervalEstimate] {
        guard let level = confidence?.confidence.shared(among: intervalCount) else { return [] }
        return [
            ("newly-rejected", answer.rejected), ("besides", answer.besides), ("newly-accepted", answer.accepted),
        ].map { IntervalEstimate($0, "", $1, of: devices, unevaluated: answer.unevaluated, at: level) }
    }

    /// The columns of these intervals.
    var intervalColumns: [ReportTable.Column] {
        guard let confidence else { return [] }
        return ["rejected", "not asked for", "accepted"].map { .figure("\($0) of all, at \(confidence.text)") }
    }

    /// The devices that the figures are of, and the assumption that intervals rest on.
    var intervalSentences: [ReportText] {
        let chosen =
            if let heldOut {
                "the figures are those of \(devices.counting("device")) from \(heldOut.start) on, of which "
                    + "\(heldOut.seenBefore.grouped) \(heldOut.seenBefore.agreeing("was", "were")) seen before, too; the answers were looked for before that"
            } else {
                "the answers were chosen on the same attestations that they are reported on; `--holdout` reports them "
                    + "on others"
            }
        let left =
            leftOut == 0
            ? []
            : [
                ReportText(
                    "\(leftOut.counting("answer")) \(leftOut.agreeing("is", "are")) left out, which the held-out part "
                        + (confidence == nil ? "does not show" : "does not prove") + " to be within the limits")
            ]
        guard let confidence else { return [ReportText(chosen)] + left }
        let among =
            heldOut == nil ? "\(tried.grouped) sets of edits that were tried" : "\(heldOutAnswers.grouped) answers"
        return [ReportText(chosen)] + left + [
            ReportText(
                "the \(intervalCount.grouped) intervals of \(among) hold together at \(confidence.text), provided that the "
                    + "devices of the capture are a random sample of all")
        ]
    }

    /// The level and the number of intervals that hold together at it; `nil` where no level was given.
    var joint: IntervalEstimate.Joint? { confidence.map { ($0, intervalCount, Intervals.randomSample) } }
}
