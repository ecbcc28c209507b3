internal import Documents
internal import Figures

extension ComparisonSections {
    /// The page for those who decide about the change, of two printed sheets: its effect and how sure that is, whom it hits, other
    /// edits in its place, its rollout, what all of it rests on, a place to sign, and how to repeat it.
    ///
    /// - Parameters:
    ///   - parts: The other edits, and the rollout.
    ///   - page: The page of the comparison.
    func casePage(_ parts: ChangeCase, of page: ReportPage) -> ReportPage {
        let isLoss = changes.rejected.devices > 0 || changes.accepted.devices == 0
        let groups =
            isLoss
            ? ChangeGroups(changes.rejected, .worse, of: self) : ChangeGroups(changes.accepted, .better, of: self)
        let sections: [[ReportSection]] = [
            groups.reasons, groups.hardest, parts.alternatives.map { [$0.section(comparison)] } ?? [],
            parts.rollout?.blocks(besides: changes.rejected.devices) ?? [],
            [rests(parts), decision], [page.origin.brief],
        ]
        var result = ReportPage(
            title: "Change to decide: \(page.title)", scope: page.scope, head: page.head,
            sections: sections.flatMap(\.self).filter { !$0.isBare }, origin: page.origin)
        result.head?.facts = facts(parts)
        return result
    }

    // The effect on labelled devices first, then fetches and new verdicts, as far as there is room.
    private func facts(_ parts: ChangeCase) -> [ReportHead.Fact] { Array(facts.prefix(4)) }

    private func rests(_ parts: ChangeCase) -> ReportSection {
        var section = grounds
        if comparison.intervals != nil { section.terms.append(.init("All devices", ReportText(Intervals.assumption))) }
        let unknown = Set(comparison.before.figures.unknownFlags.keys).sorted()
        if !unknown.isEmpty {
            let names = unknown.map { "`\($0)`" }.joined(separator: ", ")
            section.terms.append(
                .init("Not known", "no policy knows the \(unknown.count == 1 ? "flag" : "flags") \(names)"))
        }
        if let rollout = parts.rollout {
            let words = rollout.grounds.filter { ["Notice", "Rules"].contains($0.name) }.flatMap(\.words.spans).map(
                \.text)
            section.terms.append(.init("Rollout", ReportText(words.joined(separator: "; "))))
        }
        if let labels = changes.labels {
            section.terms += labels.ending(labels.lanes).prefix(1).map { .init("Labels", ReportText($0)) }
        }
        return section
    }

    // Boxes to tick, and lines to write on.
    private var decision: ReportSection {
        var section = ReportSection(.title("Decision"))
        section.sentences = ["☐ Approve\u{2003}☐ Approve another edit\u{2003}☐ Reject"]
        section.terms = [.init("By", ""), .init("On", "")]
        return section
    }
}

extension ChangeGroups {
    private static let hardestLimit = 6

    /// The groups of most turned devices in one table, whatever they have in common; nothing without groups.
    var hardest: [ReportSection] {
        let kinds: [ChangeFigures.Kind] = [.system, .version, .app]
        let all = kinds.compactMap { kind in groupTable(kind) }
        let rated = all.filter { table in table.columns.contains { $0.reference != nil } }
        let tables = rated.isEmpty ? all : rated
        guard let first = tables.first else { return [] }
        var seen: Set<[Int]> = []
        // An app that all devices of a system have says the same as the system.
        let rows = tables.flatMap(\.rows).filter { seen.insert($0.cells.dropFirst().map(\.figure)).inserted }
            .sorted { $0.cells[1].figure > $1.cells[1].figure }
        var section = ReportSection(
            .title("Hit hardest"), table: ReportTable(first.columns, rows: Array(rows.prefix(Self.hardestLimit))),
            place: .half)
        if !rated.isEmpty { section.notes = reference }
        return [section]
    }
}
