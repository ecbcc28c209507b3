internal import Accounts
package import Analysis
internal import Documents
package import PolicyEngine

extension SearchAnswers: PlainReport {
    /// The number of edits that do it, and the best answers.
    package var sections: [ReportSection] {
        let asked: ReportText =
            "\(rejecting.grouped) attestations have to fail, and \(keeping.grouped) have to pass"
        guard let count = answers.map(\.commands.count).min() else {
            return [ReportSection(.notice(ReportText(none)), sentences: [asked])]
        }
        let head = count == 0 ? "no edit is needed" : "\(count.counting("edit")) \(count == 1 ? "is" : "are") enough"
        let rows = answers.map { answer in
            ReportTable.Row(
                cells: [
                    .text(answer.commands.first?.text ?? "the account as it is"), .number(answer.rejected),
                    .number(answer.besides), .number(answer.accepted),
                ],
                details: answer.commands.count > 1 ? [ReportList(items: answer.commands.dropFirst().map(\.text))] : [])
        }
        let columns: [ReportTable.Column] = [
            .text("edits"), .figure("newly rejected"), .figure("of them not asked for"), .figure("newly accepted"),
        ]
        return [
            ReportSection(.notice(ReportText(head, .strong)), sentences: [asked]),
            ReportSection(.title("The best answers, in devices"), table: ReportTable(columns, rows: rows)),
        ]
    }

    private var none: String {
        if case .narrowestFilter(let key) = mode { return "no answer: no rejecting filter on \(key) is enough" }
        return "no answer: \(mode.maximumEdits.counting("edit")) or fewer are not enough"
    }

    package var members: [(key: String, value: JSONValue)] {
        [
            ("maximum-edits", .integer(mode.maximumEdits)), ("rejecting", .integer(rejecting)),
            ("keeping", .integer(keeping)),
            (
                "answers",
                .array(
                    answers.map { answer in
                        .ordered([
                            ("commands", .array(answer.commands.map { .string($0.text) })),
                            ("newly-rejected", .integer(answer.rejected)), ("besides", .integer(answer.besides)),
                            ("newly-accepted", .integer(answer.accepted)),
                        ])
                    })
            ),
        ]
    }
}
