internal import Accounts
internal import Analysis
internal import Documents
internal import Figures

extension WhatIf {
    /// The sections on labelled devices: the account as it is, the efficient edits, every other edit, and those devices that
    /// a single filter or flag catches.
    var labelSections: [ReportSection] {
        guard let labels, let lane = labels.lanes.first else { return [] }
        return [own(labels, lane), frontier(lane), others, alone].filter { !$0.isBare }
    }

    private func own(_ labels: LabelFigures, _ lane: LabelLane) -> ReportSection {
        let cost = cost.map { ["the verdicts of the account cost \($0.cost(of: lane).grouped), \(LabelFigures.unit)"] }
        let sentences = lane.sentences(at: confidence ?? .usual) + (cost ?? []) + labels.ending(labels.lanes)
        return ReportSection(.title(LabelFigures.title), sentences: sentences.map { ReportText($0) })
    }

    // The account as it is, and edits: bad devices caught, good ones blocked, others rejected, and the savings.
    private var columns: [ReportTable.Column] {
        [
            .text("edit"), .figure("bad caught", bars: .better), .figure("good blocked", bars: .worse),
            .figure("unknown rejected"),
        ] + (cost == nil ? [] : [.figure("saves")]) + (isExact ? [] : [.figure("not evaluated")])
    }

    private func row(_ name: ReportTable.Cell, _ lane: LabelLane, saving: Int?) -> [ReportTable.Cell] {
        let counts: [ReportTable.Cell] = [
            name, .number(lane.bad.rejected), .number(lane.good.rejected), .number(lane.unknown.rejected),
        ]
        return counts + (saving.map { [.number($0)] } ?? [])
            + (isExact ? [] : [.number(lane.bad.unevaluated + lane.good.unevaluated + lane.unknown.unevaluated)])
    }

    private var isExact: Bool {
        edits.allSatisfy { ($0.labels?.isExact ?? true) && $0.labels?.unknown.unevaluated ?? 0 == 0 }
    }

    // By the good devices that are blocked, and so by the bad ones that are caught.
    private func frontier(_ account: LabelLane) -> ReportSection {
        var rows: [(lane: LabelLane, cells: [ReportTable.Cell])] = edits.filter(\.isEfficient).compactMap { edit in
            edit.labels.map { ($0, row(.code(edit.text), $0, saving: saving(of: edit))) }
        }
        if isAccountEfficient {
            rows.insert((account, row(.text("the account as it is"), account, saving: cost.map { _ in 0 })), at: 0)
        }
        let sorted = rows.enumerated().sorted {
            ($0.element.lane.blockedAtMost, $0.offset) < ($1.element.lane.blockedAtMost, $1.offset)
        }.map(\.element)
        var section = ReportSection(
            .title("Efficient edits"),
            sentences: rows.isEmpty
                ? [] : ["no other edit catches as many bad devices at fewer good ones blocked, or more at as few"],
            table: ReportTable(columns, sorted.map(\.cells)))
        section.plots = sorted.count < 2 ? [] : [Self.plot]
        section.showsTable = true
        return section
    }

    private static let plot = ReportPlot(
        title: "Bad devices caught and good devices blocked under each efficient edit",
        panels: [
            .init(
                title: "bad devices caught, by good devices blocked", shape: .scatter,
                series: [
                    .init(name: "bad devices caught", column: 1, tone: .better),
                    .init(name: "good devices blocked", column: 2, tone: .worse),
                ])
        ], marks: [:])

    // Those that are not efficient, and that change the verdict on a device.
    private var others: ReportSection {
        let rows = edits.filter { !$0.isEfficient }.compactMap { edit -> [ReportTable.Cell]? in
            guard let lane = edit.labels, Self.turned(lane) else { return nil }
            return row(.code(edit.text), lane, saving: saving(of: edit))
        }
        return ReportSection(.title("Other edits by labels"), table: ReportTable(columns, rows))
    }

    private static func turned(_ lane: LabelLane) -> Bool {
        DeviceLabel.allCases.contains {
            let counts = lane[$0]
            return counts.newlyRejected + counts.noLongerRejected + counts.unevaluated > 0
        }
    }

    // The devices that would be rejected no longer if a filter or a flag went.
    private var alone: ReportSection {
        let rows = edits.filter(\.takesAway).compactMap { edit -> [ReportTable.Cell]? in
            guard let lane = edit.labels else { return nil }
            let lost = DeviceLabel.allCases.map { lane[$0].noLongerRejected }
            return lost.contains { $0 > 0 } ? [.code(edit.text)] + lost.map { .number($0) } : nil
        }
        return ReportSection(
            .title("Devices that one filter or flag alone rejects"),
            sentences: rows.isEmpty ? [] : ["they are no longer rejected at all after the edit"],
            table: ReportTable([.text("edit"), .figure("bad"), .figure("good"), .figure("unknown")], rows))
    }
}
