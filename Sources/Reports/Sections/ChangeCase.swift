package import Analysis
internal import Documents
internal import Figures

/// The parts of a comparison that those read who have to decide about a change: other edits in its place, and its rollout.
package struct ChangeCase: Sendable {
    /// The best single edits; `nil` where nobody asked for them.
    package var alternatives: Alternatives?
    /// The rollout of the change; `nil` where nobody asked for it.
    package var rollout: Rollout?

    package init() {}

    /// True if nobody asked for any of it.
    var isEmpty: Bool { alternatives == nil && rollout == nil }

    /// The parts as sections of a text.
    ///
    /// - Parameter comparison: The effect of the change.
    func sections(_ comparison: Comparison) -> [ReportSection] {
        (alternatives.map { [$0.section(comparison)] } ?? [])
            + (rollout?.parts(besides: comparison.changes.rejected.devices) ?? [])
    }
}

// MARK: Alternatives

extension Alternatives {
    static let columns = Columns<Alternatives>(inOrder: [
        .field("evaluated", "Single edits among which they were looked for.", \.evaluated),
        .object("now", "The account as it is.", ofLane) { ($0.now, $0.cost) },
        .object("change", "The change itself.", ofLane) { ($0.change, $0.cost) },
        .list("edits", "The edits, the best first.", ofEdit) { alternatives in
            alternatives.edits.map { Row(edit: $0, cost: alternatives.cost) }
        },
    ])

    private typealias Lane = (lane: LabelLane, cost: LabelCost?)

    private static let ofLane = Columns<Lane>(inOrder: [
        .field("bad-caught", "Bad devices that are caught.") { $0.lane.bad.rejected },
        .field("good-blocked", "Good devices that are blocked.") { $0.lane.good.rejected },
        .field("unknown-rejected", "Devices without a label that are rejected.") { $0.lane.unknown.rejected },
        .optional("saves", "What the verdicts save compared with the account as it is; below 0 if they cost more.") {
            subject in subject.cost.map { $0.saving(of: subject.lane) }
        },
    ])

    private struct Row {
        let edit: Edit
        let cost: LabelCost?

        var verdicts: Lane { (edit.lane, cost) }
    }

    private static let ofEdit = Columns<Row>(
        inOrder: [
            .field("command", "The management command.") { $0.edit.command },
            .field("newly-rejected-devices", "Newly rejected devices.") { $0.edit.rejected },
            .field("newly-accepted-devices", "Newly accepted devices.") { $0.edit.accepted },
            .field("token-fetches", "Token fetches of a day to expect; null where it is not known.") {
                $0.edit.fetchesPerDay
            },
        ] + ofLane.all.map { $0.of(\Row.verdicts) })

    /// The change and the edits in a table.
    func section(_ comparison: Comparison) -> ReportSection {
        let changes = comparison.changes
        let after = changes.attestationsPerDay.map { $0.scaled(by: changes.expectedFetchesPerMille, over: 1000) }
        let own = row(.text("the change"), change, changes.rejected.devices, changes.accepted.devices, after)
        let rows = edits.map { row(.code($0.command), $0.lane, $0.rejected, $0.accepted, $0.fetchesPerDay) }
        var section = ReportSection(
            .title(edits.count == 1 ? "One edit in its place" : "Edits in its place"), sentences: [ReportText(words)],
            table: ReportTable(
                [
                    .text("edit"), .figure("bad caught"), .figure("good blocked"), .figure("from today"),
                    .figure("newly rejected"), .figure("newly accepted"),
                ] + (cost == nil ? [] : [.figure("saves")]) + [.figure("fetches a day")], rows: [own] + rows))
        section.notes = notes
        return section
    }

    private var words: String {
        let basis = cost == nil ? "block no more good devices than it" : "cost no more than it"
        return edits.isEmpty
            ? "none of \(evaluated.counting("single edit")) catches as many bad devices as the change and would \(basis)"
            : "of \(evaluated.counting("single edit")), the best of those that catch as many bad devices as the change and \(basis)"
    }

    private var notes: [ReportText] {
        let sentence =
            "today \(now.bad.rejected.grouped) of \(now.bad.devices.grouped) bad caught, "
            + "\(now.good.rejected.grouped) of \(now.good.devices.grouped) good blocked"
        let isLooser = edits.contains { $0.accepted > 0 }
        return [ReportText(sentence)] + (isLooser ? ["newly accepted devices without a label may be bad"] : [])
    }

    private func row(
        _ name: ReportTable.Cell, _ lane: LabelLane, _ rejected: Int, _ accepted: Int, _ fetches: Int?
    ) -> ReportTable.Row {
        let counts: [ReportTable.Cell] = [
            name, .number(lane.bad.rejected), .number(lane.good.rejected),
            .change(lane.good.rejected - now.good.rejected, more: .bad), .number(rejected), .number(accepted),
        ]
        return ReportTable.Row(
            cells: counts + (cost.map { [.change($0.saving(of: lane), more: .good)] } ?? [])
                + [fetches.map { .number($0) } ?? .text("unknown")])
    }
}
