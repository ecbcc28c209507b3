internal import Accounts
package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine
internal import Proofs
internal import Statistics

// The report on the edits that do what was asked for: a table of the best answers.
extension SearchAnswers: SectionedAnswer {
    package static let kind = ReportKind("search", "Search", columns)

    static let columns = Columns<SearchAnswers>(inOrder: [
        .version,
        .field("maximum-edits", "The greatest number of edits that were tried together.", \.mode.maximumEdits),
        .field("rejecting", "Attestations that have to fail.", \.rejecting),
        .field("keeping", "Attestations that have to pass.", \.keeping),
        .optional("unmatched", "The labels that fit no record.") { $0.labels?.unmatched },
        .list("answers", "The best answers, the best one first.", answers(at: .usual), \.rows),
        .optional("held-out", "The part of the captures that answers are reported on.", heldOutColumns) { answers in
            answers.heldOut.map { ($0, answers.devices) }
        },
        .optional("intervals", "The level at which the intervals hold together.", JointIntervals.columns) { $0.joint },
        .optional(
            "possible-others",
            "Whether the best exemption lets in a possible device that was not asked for.",
            ChangeProof.answer
        ) { $0.proved },
    ])

    private static let heldOutColumns = Columns<(part: HeldOut, devices: Int)>(inOrder: [
        .field("start", "The start of the part.") { $0.part.start }, .field("devices", "Its devices.") { $0.devices },
        .field("seen-before", "Those of them that were seen before it, too.") { $0.part.seenBefore },
    ])

    // An answer among all.
    private typealias Row = (answer: Answer, all: SearchAnswers)

    private static func answers(at level: ConfidenceLevel) -> Columns<Row> {
        Columns(inOrder: [
            .field("commands", "The management commands of the edits.") { $0.answer.commands.map(\.text) }
                .text("edits") { $0.answer.commands.first.map { .code($0.text) } ?? .text("the account as it is") },
            .field("newly-rejected", "Devices that newly fail.", \.answer.rejected)
                .figure("newly rejected", bars: .worse),
            .field("besides", "Those of them that were not asked for.", \.answer.besides)
                .figure("of them not asked for"),
            .field("newly-accepted", "Devices that newly pass.", \.answer.accepted)
                .figure("newly accepted", bars: .better),
            .optional("bad", "Devices that are labelled bad.") { $0.answer.labels?.bad },
            .optional("caught", "Those of the bad ones that are rejected.") { $0.answer.labels?.caught }
                .figure("bad caught"),
            .optional("good", "Devices that are labelled good.") { $0.answer.labels?.good },
            .optional("blocked", "Those of the good ones that are rejected.") { $0.answer.labels?.blocked }
                .figure("good blocked"),
            .optional("unevaluated", "Labelled devices that were not evaluated.") { $0.answer.labels?.unevaluated },
            .field("unjudged-devices", "Devices that were not evaluated.", \.answer.unevaluated),
            .optional("passing-asked-to-fail", "Devices of the part that pass somewhere though they have to fail.") {
                $0.answer.unmet?.passing
            }.figure("passing, asked to fail"),
            .optional("failing-asked-to-pass", "Devices of the part that fail somewhere though they have to pass.") {
                $0.answer.unmet?.failing
            }.figure("failing, asked to pass"),
            .optional("exempted", "Devices that an exemption lets in.", exempted, \.answer.exempted).withoutCSV,
            .shown("unjudged-devices", .figure("not evaluated")) { .number($0.answer.unevaluated) },
            .optional("intervals", "The shares of all devices.", shares(at: level)) { $0.all.shares(of: $0.answer) },
        ])
    }

    private static let exempted = Columns<(devices: Int, remaining: Int, others: Int)>(inOrder: [
        .field("devices", "Devices that it was asked to let in, and lets in.") { $0.devices }
            .figure("let in", bars: .better),
        .field("remaining", "Devices that it was asked to let in, and that still fail somewhere.") { $0.remaining }
            .figure("remaining out"),
        .field("others", "Other devices that newly pass.") { $0.others }.figure("others let in", bars: .worse),
    ])

    private static func shares(at level: ConfidenceLevel) -> Columns<[Estimate]> {
        Columns(inOrder: [
            .estimate("newly-rejected", "Devices that newly fail.", "rejected of all, at \(level.text)") { $0[0] },
            .estimate("besides", "Those that were not asked for.", "not asked for of all, at \(level.text)") { $0[1] },
            .estimate("newly-accepted", "Devices that newly pass.", "accepted of all, at \(level.text)") { $0[2] },
        ])
    }

    private var rows: [Row] { answers.map { ($0, self) } }

    package var json: JSONValue { Self.columns.value(of: self) }

    /// The number of edits that do it, and the best answers.
    package var sections: [ReportSection] {
        guard let table else { return [ReportSection(.notice(ReportText(result)), sentences: asked)] }
        return [
            ReportSection(.notice(ReportText(result, .strong)), sentences: asked + intervalSentences),
            ReportSection(.title(Self.title), table: table),
        ] + others(.notice(ReportText(possible)))
    }

    /// The same as a page.
    package func page(in setting: ReportSetting) -> ReportPage {
        let (subject, origin) = ("search among single edits", setting.origin)
        let verdict = answers.isEmpty ? ReportText("✗ No answer", .bad) : ReportText("✓ Found", .good)
        let details =
            (table.map { [ReportSection(.title(Self.title), table: $0)] } ?? []) + others(.title("Possible devices"))
        return ReportPage(
            title: account.isEmpty ? subject : "\(account): \(subject)", scope: [devices.counting("device")],
            head: ReportHead(
                result, verdict: verdict,
                details: (asked + (proved == nil ? [] : [ReportText(possible)])).map { $0.capitalized + "." },
                notes: table == nil ? [] : intervalSentences),
            sections: details + origin.sections(), origin: origin)
    }

    private static let title = "The best answers, in devices"

    // MARK: Possible devices

    // The answer on devices that were not asked for.
    private var proved: (proof: ChangeProof, answer: Prover.Answer)? {
        others.flatMap { proof in proof.answers.first.map { (proof, $0.answer) } }
    }

    private var possible: String {
        guard let proved else { return "" }
        return switch proved.proof.verdict(proved.answer) {
        case .proved: "proved: the first answer lets in no possible device that was not asked for"
        case .found: "the first answer would also let in a device that was not asked for"
        case .notExcluded: "it cannot be excluded that the first answer lets in a device that was not asked for"
        case .notDecided: "not decided whether the first answer lets in a device that was not asked for"
        }
    }

    // The device that was found, or why it is not known.
    private func others(_ heading: ReportSection.Heading) -> [ReportSection] {
        guard let proved else { return [] }
        let section = proved.proof.section(on: proved.answer, heading)
        if case .title = heading, section.isBare { return [] }
        return [section]
    }

    private var asked: [ReportText] {
        let unevaluated =
            isExact
            ? [] : ["devices that are not evaluated count among the missed, among the blocked, and against every limit"]
        return askedFor + unevaluated.map { ReportText($0) }
    }

    private var askedFor: [ReportText] {
        // Labels alone ask for no single attestation.
        if rejecting + keeping == 0, labels != nil { return labelWords }
        if mode == .narrowestExemption {
            let failing = "\(rejecting.counting("attestation")) \(rejecting.agreeing("has", "have")) to fail"
            return rejecting > 0 ? [ReportText(failing)] : []
        }
        let failing = "\(rejecting.counting("attestation")) \(rejecting.agreeing("has", "have")) to fail"
        let passing = "\(keeping.grouped) \(keeping.agreeing("has", "have")) to pass"
        return [ReportText("\(failing), and \(passing)")] + labelWords
    }

    // The number of edits, or why there are none.
    private var result: String {
        guard let count = answers.map(\.commands.count).min() else { return none }
        if let best = answers.first?.exempted {
            return "the narrowest exemption lets in \(best.devices.counting("device")) and \(best.others.grouped) "
                + "\(best.others == 1 ? "other" : "others")"
                + (best.remaining > 0 ? "; \(best.remaining.grouped) remain out" : "")
        }
        return count == 0 ? "no edit is needed" : "\(count.counting("edit")) \(count.agreeing("is", "are")) enough"
    }

    private var table: ReportTable? {
        guard !answers.isEmpty else { return nil }
        let omitted =
            (labels == nil ? ["caught", "blocked"] : [])
            + (mode == .narrowestExemption ? ["newly-rejected", "besides", "newly-accepted"] : ["exempted"])
            + (isExact ? ["unjudged-devices"] : [])
            + (heldOut == nil ? ["passing-asked-to-fail", "failing-asked-to-pass"] : [])
            + (confidence == nil ? ["intervals"] : [])
        return Self.answers(at: confidence ?? .usual).table(of: rows, without: Set(omitted)) { row in
            row.answer.commands.count > 1 ? [ReportList(items: row.answer.commands.dropFirst().map(\.text))] : []
        }
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
        if mode == .narrowestExemption { return "no answer: no exemption lets in a device and rejects what it has to" }
        if case .narrowestFilter(let key) = mode { return "no answer: no rejecting filter on \(key) is enough" }
        return "no answer: \(mode.maximumEdits.counting("edit")) or fewer are not enough"
    }
}

// MARK: Intervals

// Answers that are chosen by the figures that they are reported with are the best of all that were tried; so their
// intervals hold together for all of these. Those on a held-out part hold together for the answers alone.
extension SearchAnswers {
    private var intervalCount: Int { 3 * (heldOut == nil ? tried : heldOutAnswers) }
    // Answers that were left out because of their figures count, too.
    private var heldOutAnswers: Int { answers.count + leftOut }

    // The shares of devices of an answer; `nil` where no level was given.
    private func shares(of answer: Answer) -> [Estimate]? {
        guard let level = confidence?.confidence.shared(among: intervalCount) else { return nil }
        return [answer.rejected, answer.besides, answer.accepted].map {
            Estimate($0, of: devices, unevaluated: answer.unevaluated, at: level)
        }
    }

    // The devices that the figures are of, and the assumption that intervals rest on.
    private var intervalSentences: [ReportText] {
        let chosen =
            if let heldOut {
                "the figures are those of \(devices.counting("device")) from \(heldOut.start) on, of which "
                    + "\(heldOut.seenBefore.grouped) \(heldOut.seenBefore.agreeing("was", "were")) seen before, too; the search used the data before that"
            } else {
                "these answers are measured on the data they were chosen from"
                    + (mode == .narrowestExemption ? "" : "; `--holdout` measures them on unseen data")
            }
        let left =
            leftOut == 0
            ? []
            : [
                ReportText(
                    "\(leftOut.counting("answer")) \(leftOut.agreeing("is", "are")) left out, which the held-out part "
                        + (confidence == nil ? "does not show" : "does not prove") + " to be within the limits")
            ]
        guard let confidence else { return [ReportText(chosen)] + left }
        let among =
            heldOut == nil ? "\(tried.grouped) sets of edits that were tried" : "\(heldOutAnswers.grouped) answers"
        return [ReportText(chosen)] + left + [
            ReportText(
                "the \(intervalCount.grouped) intervals of \(among) hold together at \(confidence.text), provided that the "
                    + "devices of the capture are a random sample of all")
        ]
    }

    private var joint: JointIntervals? {
        confidence.map { JointIntervals(level: $0, count: intervalCount, assumption: Intervals.randomSample) }
    }
}
