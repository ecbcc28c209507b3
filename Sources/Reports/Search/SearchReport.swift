internal import Accounts
package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine

extension SearchAnswers: PlainReport {
    /// The number of edits that do it, and the best answers.
    package var sections: [ReportSection] {
        let asked =
            ["\(rejecting.grouped) attestations have to fail, and \(keeping.grouped) have to pass"].map {
                ReportText($0)
            }
            + labelWords
        guard let count = answers.map(\.commands.count).min() else {
            return [ReportSection(.notice(ReportText(none)), sentences: asked)]
        }
        let head = count == 0 ? "no edit is needed" : "\(count.counting("edit")) \(count == 1 ? "is" : "are") enough"
        let rows = answers.map { answer in
            ReportTable.Row(
                cells: [
                    .text(answer.commands.first?.text ?? "the account as it is"), .number(answer.rejected),
                    .number(answer.besides), .number(answer.accepted),
                ] + (answer.labels.map { [.number($0.caught), .number($0.blocked)] } ?? [])
                    + (answer.unmet.map { [.number($0.passing), .number($0.failing)] } ?? [])
                    + intervals(of: answer).cells,
                details: answer.commands.count > 1 ? [ReportList(items: answer.commands.dropFirst().map(\.text))] : [])
        }
        let columns: [ReportTable.Column] =
            [
                .text("edits"), .figure("newly rejected"), .figure("of them not asked for"), .figure("newly accepted"),
            ] + (labels == nil ? [] : [.figure("bad caught"), .figure("good blocked")])
            + (heldOut == nil ? [] : [.figure("passing, asked to fail"), .figure("failing, asked to pass")])
            + intervalColumns
        return [
            ReportSection(.notice(ReportText(head, .strong)), sentences: asked + intervalSentences),
            ReportSection(.title("The best answers, in devices"), table: ReportTable(columns, rows: rows)),
        ]
    }

    // The labelled devices; those without an answer are not counted.
    private var labelWords: [ReportText] {
        guard let labels else { return [] }
        let counts = answers.first?.labels.map { "\($0.bad.grouped) devices are bad, and \($0.good.grouped) good" }
        let unmatched =
            labels.unmatched.isEmpty
            ? nil : "\(labels.unmatched.count.grouped) of \(labels.labels.grouped) labels fit no record"
        return [counts, unmatched].compactMap(\.self).map { ReportText($0) }
    }

    private var none: String {
        if unproved > 0 {
            return
                "no answer: the held-out part proves of none of \(unproved.grouped) answers that it is within the limit"
        }
        if case .narrowestFilter(let key) = mode { return "no answer: no rejecting filter on \(key) is enough" }
        return "no answer: \(mode.maximumEdits.counting("edit")) or fewer are not enough"
    }

    private func unmet(by answer: Answer) -> [(key: String, value: JSONValue)] {
        guard let unmet = answer.unmet else { return [] }
        return [
            ("passing-asked-to-fail", .integer(unmet.passing)), ("failing-asked-to-pass", .integer(unmet.failing)),
        ]
    }

    package var members: [(key: String, value: JSONValue)] {
        [
            ("maximum-edits", .integer(mode.maximumEdits)), ("rejecting", .integer(rejecting)),
            ("keeping", .integer(keeping)),
        ] + (labels.map { [("unmatched", $0.unmatched.reported)] } ?? []) + [
            (
                "answers",
                .array(
                    answers.map { answer in
                        .ordered(
                            [
                                ("commands", .array(answer.commands.map { .string($0.text) })),
                                ("newly-rejected", .integer(answer.rejected)), ("besides", .integer(answer.besides)),
                                ("newly-accepted", .integer(answer.accepted)),
                            ] + (answer.labels.map(Self.members) ?? []) + unmet(by: answer)
                                + intervals(of: answer).member)
                    })
            )
        ] + intervalMembers
    }

    private static func members(_ labels: LabelOutcome) -> [(key: String, value: JSONValue)] {
        [
            ("bad", .integer(labels.bad)), ("caught", .integer(labels.caught)), ("good", .integer(labels.good)),
            ("blocked", .integer(labels.blocked)),
        ]
    }
}
