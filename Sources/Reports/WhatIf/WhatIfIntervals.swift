internal import Analysis
internal import Documents
internal import Figures
internal import Statistics

// An interval for each of two figures of each edit: all of them hold together, since the edits are looked at together.
extension WhatIf {
    /// The number of intervals that hold together.
    private var intervalCount: Int { 2 * evaluated }

    /// The intervals of the devices that an edit newly rejects and accepts; none where no level was given.
    func intervals(of edit: Edit) -> [IntervalEstimate] {
        guard let level = confidence?.confidence.shared(among: intervalCount) else { return [] }
        let figures = edit.figures
        return [("newly-rejected", figures.rejected.devices), ("newly-accepted", figures.accepted.devices)].map {
            IntervalEstimate($0, "", $1, of: devices, unevaluated: figures.unevaluatedDevices, at: level)
        }
    }

    /// The columns of these intervals.
    var intervalColumns: [ReportTable.Column] {
        guard let confidence else { return [] }
        return [.figure("rejected of all, at \(confidence.text)"), .figure("accepted of all, at \(confidence.text)")]
    }

    /// The assumption that intervals rest on, or of what the figures are.
    var intervalSentence: ReportText {
        guard let confidence else { return Intervals.without.sentences[0] }
        return ReportText(
            "the \(intervalCount.grouped) intervals of \(evaluated.grouped) edits hold together at \(confidence.text), "
                + "provided that the devices of the capture are a random sample of all")
    }

    /// The level and the number of intervals that hold together at it; `nil` where no level was given.
    var joint: IntervalEstimate.Joint? { confidence.map { ($0, intervalCount) } }
}

extension [IntervalEstimate] {
    /// The cells of a row.
    var cells: [ReportTable.Cell] { map(\.cell) }
}
