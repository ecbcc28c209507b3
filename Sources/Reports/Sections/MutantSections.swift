internal import Documents
internal import Scenarios

extension MutationReport {
    /// The number of changes that are noticed, and the changes that are not.
    var sections: [ReportSection] {
        let share =
            "\(noticed.grouped) of \(effective.grouped) changes of accounts are noticed (\(noticed.share(of: effective)))"
        let sentences = idle == 0 ? [share] : [share, "\(idle.grouped) more have no effect on clients in any scenario"]
        let head = ReportSection(.title("Mutants"), sentences: sentences.map { ReportText($0) })
        return [head] + (unnoticed.isEmpty ? [] : [missing])
    }

    // A row for each change that no expectation notices, with the line where one is missing.
    private var missing: ReportSection {
        let rows: [[ReportTable.Cell]] = unnoticed.map { mutant, gap in
            [
                .text("\(gap.file):\(gap.position)"), .text(mutant.account), .code(mutant.change),
                .text(gap.difference),
            ]
        }
        var section = ReportSection(
            .title("Not noticed: an expectation is missing at"),
            table: ReportTable([.text("step"), .text("account"), .text("change"), .text("what differs")], rows))
        section.place = .below
        return section
    }
}

extension MutationReport {
    /// The changes that no expectation notices though they have an effect, with the place of the first.
    var unnoticed: [(mutant: Mutant, gap: Gap)] {
        mutants.compactMap { mutant in
            if case .unnoticed(let gap) = mutant.effect { (mutant, gap) } else { nil }
        }
    }
}
