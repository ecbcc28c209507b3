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
        let unevaluated =
            isExact
            ? [] : ["devices that are not evaluated count among the missed, among the blocked, and against every limit"]
        return askedFor + unevaluated.map { ReportText($0) }
    }

    private var askedFor: [ReportText] {
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
                    + (isExact ? [] : [.number(answer.unevaluated)])
                    + intervals(of: answer).cells,
                details: answer.commands.count > 1 ? [ReportList(items: answer.commands.dropFirst().map(\.text))] : [])
        }
        let columns: [ReportTable.Column] =
            [
                .text("edits"), .figure("newly rejected", bars: .worse), .figure("of them not asked for"),
                .figure("newly accepted", bars: .better),
            ] + (labels == nil ? [] : [.figure("bad caught"), .figure("good blocked")])
            + (heldOut == nil ? [] : [.figure("passing, asked to fail"), .figure("failing, asked to pass")])
            + (isExact ? [] : [.figure("not evaluated")]) + intervalColumns
        return ReportTable(columns, rows: rows)
    }

    private var isExact: Bool { answers.allSatisfy { $0.unevaluated == 0 && $0.labels?.unevaluated ?? 0 == 0 } }

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
        if leftOut > 0 {
            return "no answer: "
                + (confidence == nil
                    ? "none of \(leftOut.counting("answer")) is within the limits on the held-out part"
                    : "the held-out part proves of none of \(leftOut.counting("answer")) that it is within the limit")
        }
        if case .narrowestFilter(let key) = mode { return "no answer: no rejecting filter on \(key) is enough" }
        return "no answer: \(mode.maximumEdits.counting("edit")) or fewer are not enough"
    }

    /// All answers: `"maximum-edits":n,…,"answers":[{"commands":[…],"newly-rejected":n,…}]`.
    package var json: JSONValue { Self.form.value(of: self) }

    static let form = ObjectForm<SearchAnswers>(inOrder: [
        .version, .field("maximum-edits", \.mode.maximumEdits), .field("rejecting", \.rejecting),
        .field("keeping", \.keeping), .optional("unmatched") { $0.labels?.unmatched },
        .list("answers", answer) { answers in answers.answers.map { ($0, answers) } },
        .optional("held-out", heldOutForm) { answers in answers.heldOut.map { ($0, answers.devices) } },
        .optional("intervals", IntervalEstimate.joint) { $0.joint },
    ])

    private static let answer = ObjectForm<(answer: Answer, all: SearchAnswers)>(inOrder: [
        .field("commands") { $0.answer.commands.map(\.text) }, .field("newly-rejected") { $0.answer.rejected },
        .field("besides") { $0.answer.besides }, .field("newly-accepted") { $0.answer.accepted },
        .optional("bad") { $0.answer.labels?.bad }, .optional("caught") { $0.answer.labels?.caught },
        .optional("good") { $0.answer.labels?.good }, .optional("blocked") { $0.answer.labels?.blocked },
        .optional("unevaluated") { $0.answer.labels?.unevaluated },
        .field("unjudged-devices") { $0.answer.unevaluated },
        .optional("passing-asked-to-fail") { $0.answer.unmet?.passing },
        .optional("failing-asked-to-pass") { $0.answer.unmet?.failing },
        .intervals(["newly-rejected", "besides", "newly-accepted"]) { $0.all.intervals(of: $0.answer) },
    ])

    private static let heldOutForm = ObjectForm<(part: HeldOut, devices: Int)>(inOrder: [
        .field("start") { $0.part.start }, .field("devices") { $0.devices },
        .field("seen-before") { $0.part.seenBefore },
    ])
}
