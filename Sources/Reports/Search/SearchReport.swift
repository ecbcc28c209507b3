package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine

extension SearchAnswers: PlainReport {
    /// The number of edits that do it, and the best answers.
    package var sections: [ReportSection] {
        let asked =
            ["\(rejecting.grouped) attestations have to fail, and \(keeping.grouped) have to pass"].map { ReportText($0) }
            + labelWords
        guard let count = answers.map(\.commands.count).min() else {
            return [ReportSection(.notice(ReportText(none)), sentences: asked)]
        }
        let head = count == 0 ? "no edit is needed" : "\(Self.edits(count)) \(count == 1 ? "is" : "are") enough"
        let rows = answers.map { answer in
            ReportTable.Row(
                cells: [
                    .text(answer.commands.first ?? "the account as it is"), .number(answer.rejected),
                    .number(answer.besides), .number(answer.accepted),
                ] + (answer.labels.map { [.number($0.caught), .number($0.blocked)] } ?? []),
                details: answer.commands.count > 1 ? [ReportList(items: Array(answer.commands.dropFirst()))] : [])
        }
        let columns: [ReportTable.Column] = [
            .text("edits"), .figure("newly rejected"), .figure("of them not asked for"), .figure("newly accepted"),
        ] + (labels == nil ? [] : [.figure("bad caught"), .figure("good blocked")])
        return [
            ReportSection(.notice(ReportText(head, .strong)), sentences: asked),
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
        if case .narrowestFilter(let key) = mode { return "no answer: no rejecting filter on \(key) is enough" }
        return "no answer: \(Self.edits(mode.maximumEdits)) or fewer are not enough"
    }

    private static func edits(_ count: Int) -> String { "\(count) \(count == 1 ? "edit" : "edits")" }

    package var members: [(key: String, value: JSONValue)] {
        [
            ("maximum-edits", .integer(mode.maximumEdits)), ("rejecting", .integer(rejecting)),
            ("keeping", .integer(keeping)),
        ] + (labels.map { [("unmatched", $0.unmatched.reported)] } ?? []) + [
            (
                "answers",
                .array(
                    answers.map { answer in
                        .ordered([
                            ("commands", .array(answer.commands.map { .string($0) })),
                            ("newly-rejected", .integer(answer.rejected)), ("besides", .integer(answer.besides)),
                            ("newly-accepted", .integer(answer.accepted)),
                        ] + (answer.labels.map(Self.members) ?? []))
                    })
            ),
        ]
    }

    private static func members(_ labels: LabelOutcome) -> [(key: String, value: JSONValue)] {
        [
            ("bad", .integer(labels.bad)), ("caught", .integer(labels.caught)), ("good", .integer(labels.good)),
            ("blocked", .integer(labels.blocked)),
        ]
    }
}
