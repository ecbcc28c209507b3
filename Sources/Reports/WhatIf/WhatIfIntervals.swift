internal import Analysis
internal import Documents
internal import Figures
internal import Statistics

// An interval for each of two figures of each edit: all of them hold together, since the edits are looked at together.
extension WhatIf {
    /// The number of intervals that hold together.
    private var intervalCount: Int { 2 * turnable }

    /// The intervals of the devices that an edit newly rejects and accepts; none where no level was given, or it can turn no
    /// verdict.
    func intervals(of edit: Edit) -> [IntervalEstimate] {
        guard edit.canTurn, let level = confidence?.confidence.shared(among: intervalCount) else { return [] }
        let figures = edit.figures
        return [("newly-rejected", figures.rejected.devices), ("newly-accepted", figures.accepted.devices)].map {
            IntervalEstimate($0, "", $1, of: devices, unevaluated: figures.unevaluatedDevices, at: level)
        }
    }

    /// The cells of these intervals.
    func intervalCells(of edit: Edit) -> [ReportTable.Cell] {
        edit.canTurn ? intervals(of: edit).cells : intervalColumns.map { _ in .text("–") }
    }

    /// The columns of these intervals.
    var intervalColumns: [ReportTable.Column] {
        guard let confidence else { return [] }
        return [.figure("rejected of all, at \(confidence.text)"), .figure("accepted of all, at \(confidence.text)")]
    }

    /// The assumption that intervals rest on, or of what the figures are.
    var intervalSentence: ReportText {
        assumption.map { ReportText($0) } ?? Intervals.without.sentences[0]
    }

    // `nil` where no level was given.
    private var assumption: String? {
        guard let confidence else { return nil }
        let idle = evaluated - turnable
        let others = idle == 0 ? "" : "; \(idle.counting("other edit")) can turn no verdict, whatever the devices are"
        return "the \(intervalCount.grouped) intervals of \(turnable.counting("edit")) hold together at "
            + "\(confidence.text), \(Intervals.randomSample)" + others
    }

    /// The level and the number of intervals that hold together at it; `nil` where no level was given.
    var joint: IntervalEstimate.Joint? {
        confidence.map { ($0, intervalCount, assumption ?? "") }
    }
}

extension [IntervalEstimate] {
    /// The cells of a row.
    var cells: [ReportTable.Cell] { map(\.cell) }
}
