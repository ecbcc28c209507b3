internal import Analysis
internal import Documents
internal import PolicyEngine

extension Rollout {
    /// The report as a page, with plots of the devices that met the change and of the time until it is noticed.
    func page(origin: ReportOrigin) -> ReportPage {
        let name = plan.before.name
        let subject = "rollout of \(plan.policy) in \(steps.count == 1 ? "1 step" : "\(steps.count) steps")"
        return ReportPage(
            title: name.isEmpty ? subject : "\(name): \(subject)",
            scope: narrowed.scope + [SpanWords.text(from: start, to: last), devices.counting("device")], card: card,
            sections: [table, commands] + origin.sections, origin: origin)
    }

    private var card: ReportCard {
        var facts = [
            ReportCard.Fact(end.rejected, of: evaluated, "devices", "newly rejected by the end of the rollout", .bad)
        ]
        if let goodRejected {
            facts.append(ReportCard.Fact(goodRejected, of: end.rejected, "newly rejected devices", "are good", .bad))
        }
        if end.accepted > 0 {
            facts.append(ReportCard.Fact(end.accepted, of: evaluated, "devices", "newly accepted by then", .good))
        }
        facts.append(ReportCard.Fact(end.lost.grouped, "\(end.lost.agreeing("fetch", "fetches")) lost", .bad))
        if let notice {
            let seconds = notice.seconds.map(RolloutDuration.words)
            facts.append(
                ReportCard.Fact(
                    seconds ?? notice.noticed.grouped,
                    seconds == nil
                        ? "of \(notice.runs.grouped) runs notice a difference"
                        : "until a difference is noticed in \(RolloutNotice.percent) % of \(notice.runs.grouped) runs"))
        }
        return ReportCard(facts: facts, notes: sentences.map { ReportText($0) })
    }

    private var table: ReportSection {
        let minutes = "noticed after, in minutes"
        let columns: [ReportTable.Column] =
            [
                .text("step"), .text("from"), .figure("devices met so far"), .figure("share of devices"),
                .figure("newly rejected so far"), .figure("newly accepted so far"), .figure("fetches lost so far"),
                .figure("runs that notice"), .figure(minutes),
            ] + labelColumns
        let rows = steps.indices.map { row(of: $0, columns.count) }
        var section = ReportSection(.title("Steps"), table: ReportTable(columns, rows))
        let marks = Dictionary(uniqueKeysWithValues: steps.indices.map { ($0, plan.steps[$0].stage.words) })
        var panels = [
            ReportPlot.Panel(
                title: "share of devices that met the change so far",
                series: [ReportPlot.Series(name: "share of devices", column: 3, tone: .neutral)])
        ]
        if steps.contains(where: { $0.notice?.seconds != nil }) {
            panels.append(
                ReportPlot.Panel(
                    title: "minutes until it is noticed in \(RolloutNotice.percent) % of the runs",
                    series: [ReportPlot.Series(name: minutes, column: 8, tone: .neutral)]))
        }
        section.plots = [ReportPlot(title: "Rollout by step", panels: panels, marks: marks)]
        section.showsTable = true
        return section
    }

    private func row(of index: Int, _ count: Int) -> [ReportTable.Cell] {
        let figures = steps[index]
        let head: [ReportTable.Cell] = [.text(plan.steps[index].stage.words), .time("\(start(of: index))")]
        guard isReached(index) else { return Self.unreached(head, count) }
        let noticed: [ReportTable.Cell]
        if let notice = figures.notice {
            noticed = [
                .share(notice.noticed, of: notice.runs),
                notice.seconds.map { .number(($0 + 59) / 60) } ?? .text("–"),
            ]
        } else {
            noticed = [.text("not tested"), .text("–")]
        }
        return head + [
            .number(figures.met), .share(figures.met, of: evaluated), .number(figures.rejected),
            .number(figures.accepted), .number(figures.lost),
        ] + noticed + labelCells(figures)
    }
}
