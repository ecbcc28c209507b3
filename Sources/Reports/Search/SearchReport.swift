internal import Accounts
package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine

extension SearchAnswers: PagedReport {
    /// The number of edits that do it, and the best answers.
    package var sections: [ReportSection] {
        guard let table else { return [ReportSection(.notice(ReportText(result)), sentences: asked)] }
        return [
            ReportSection(.notice(ReportText(result, .strong)), sentences: asked + intervalSentences),
            ReportSection(.title(Self.title), table: table),
        ]
    }

    /// The same as a page.
    package func page(origin: ReportOrigin) -> ReportPage {
        let subject = "search among single edits"
        let verdict = answers.isEmpty ? ReportText("✗ \(result)", .bad) : ReportText("✓ \(result)", .good)
        let details = table.map { [ReportSection(.title(Self.title), table: $0)] } ?? []
        return ReportPage(
            title: account.isEmpty ? subject : "\(account): \(subject)", scope: [devices.counting("device")],
            card: ReportCard(verdict: verdict, notes: asked + (table == nil ? [] : intervalSentences)),
            sections: details + origin.sections, origin: origin)
    }

    private static let title = "The best answers, in devices"

    private var asked: [ReportText] {
        let failing = "\(rejecting.counting("attestation")) \(rejecting.agreeing("has", "have")) to fail"
        let passing = "\(keeping.grouped) \(keeping.agreeing("has", "have")) to pass"
        return [ReportText("\(failing), and \(passing)")] + labelWords
    }

    // The number of edits, or why there are none.
    private var result: String {
        guard let count = answers.map(\.commands.count).min() else { return none }
        return count == 0 ? "no edit is needed" : "\(count.counting("edit")) \(count.agreeing("is", "are")) enough"
    }

    private var table: ReportTable? {
        guard !answers.isEmpty else { return nil }
        let rows = answers.map { answer in
            ReportTable.Row(
                cells: [
                    answer.commands.first.map { .code($0.text) } ?? .text("the account as it is"),
                    .number(answer.rejected),
                    .number(answer.besides), .number(answer.accepted),
                ] + (answer.labels.map { [.number($0.caught), .number($0.blocked)] } ?? [])
                    + (answer.unmet.map { [.number($0.passing), .number($0.failing)] } ?? [])
                    + intervals(of: answer).cells,
                details: answer.commands.count > 1 ? [ReportList(items: answer.commands.dropFirst().map(\.text))] : [])
        }
        let columns: [ReportTable.Column] =
            [
                .text("edits"), .figure("newly rejected", bars: .worse), .figure("of them not asked for"),
                .figure("newly accepted", bars: .better),
            ] + (labels == nil ? [] : [.figure("bad caught"), .figure("good blocked")])
            + (heldOut == nil ? [] : [.figure("passing, asked to fail"), .figure("failing, asked to pass")])
            + intervalColumns
        return ReportTable(columns, rows: rows)
    }

    // The labelled devices; those without an answer are not counted.
    private var labelWords: [ReportText] {
        guard let labels else { return [] }
        let counts = answers.first?.labels.map {
            "\($0.bad.counting("device")) \($0.bad.agreeing("is", "are")) bad, and \($0.good.grouped) good"
        }
        let unmatched =
            labels.unmatched.isEmpty
            ? nil
            : "\(labels.unmatched.count.grouped) of \(labels.labels.counting("label")) "
                + "\(labels.unmatched.count.agreeing("fits", "fit")) no record"
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
