internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
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

    /// `{"level":"95%","count":224}` for the report, where a level was given.
    var intervalMember: [(key: String, value: JSONValue)] {
        guard let confidence else { return [] }
        return [("intervals", .ordered([("level", .string(confidence.name)), ("count", .integer(intervalCount))]))]
    }
}

extension [IntervalEstimate] {
    /// The cells of a row.
    var cells: [ReportTable.Cell] { map(\.cell) }

    /// `{"newly-rejected":{…},"newly-accepted":{…}}` as a member, unless there are none.
    var member: [(key: String, value: JSONValue)] {
        isEmpty ? [] : [("intervals", .ordered(map { ($0.key, $0.value) }))]
    }
}
