package import Analysis
internal import Figures
package import PolicyEngine
internal import Proofs

/// The forms in which proofs can be written.
package enum ProofFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// One page, for a browser.
    case html
    /// The records of the device that was found alone, as a capture.
    case jsonl

    /// The report in this form, by the parameters of ``PagedReport``; equal reports give equal bytes.
    package func bytes(
        of proof: ChangeProof, style: TextStyle = .plain, origin: ReportOrigin = ReportOrigin()
    ) -> [UInt8] {
        switch self {
        case .text: proof.bytes(as: PagedFormat.text, style: style)
        case .json: proof.bytes(as: PagedFormat.json)
        case .html: proof.bytes(as: .html, origin: origin)
        case .jsonl: proof.capture
        }
    }
}

extension ChangeProof: PagedReport {
    /// A section for each question: the answer, why there is none, or the device that was found; and the rules on which the
    /// answers rest.
    package var sections: [ReportSection] {
        answers.map { section(on: $1, .notice(result($0, $1))) } + decidedRules.sections
    }

    private func result(_ direction: Prover.Direction, _ answer: Prover.Answer) -> ReportText {
        let emphasis: ReportText.Emphasis =
            switch verdict(answer) {
            case .proved: .good
            case .found: .bad
            case .notExcluded, .notDecided: .strong
            }
        return ReportText(sentence(direction, answer), emphasis)
    }

    // The device that was found, or why it is not known.
    private func section(on answer: Prover.Answer, _ heading: ReportSection.Heading) -> ReportSection {
        guard case .found(let witness) = answer else {
            return ReportSection(heading, sentences: reasons(answer).map { ReportText($0) })
        }
        let verdicts = [("before", witness.before), ("after", witness.after)].map { side, verdict in
            [
                ReportTable.Cell.text(side), Self.cell(verdict), .text("under \(verdict.policy)"),
                Self.reasons(verdict),
            ]
        }
        let head: ReportText = witness.records.count == 1 ? "its record:" : "its records; the last one turns:"
        return ReportSection(
            heading, sentences: [ReportText(Self.sentence(witness))],
            table: ReportTable([.text(), .text(), .text(), .text()], verdicts),
            lists: [
                ReportList(head: head, items: Self.lines(of: witness).map { String($0.dropLast()) }, isOutput: true)
            ])
    }

    private static func cell(_ verdict: ProofWitness.Verdict) -> ReportTable.Cell {
        verdict.passed ? .text("pass", .good) : .text("fail", .bad)
    }

    private static func reasons(_ verdict: ProofWitness.Verdict) -> ReportTable.Cell {
        .text(verdict.rejections.joined(separator: ", "))
    }
}

// MARK: Page

extension ChangeProof {
    /// The answers as a page: a card with the sentence on each question, and the devices that were found.
    package func page(origin: ReportOrigin) -> ReportPage {
        let verdict: ReportText =
            isProved
            ? ReportText("✓ Proved", .good)
            : isRefuted ? ReportText("✗ A device would change sides", .bad) : "Not decided"
        let card = ReportCard(
            verdict: verdict, notes: answers.map { result($0, $1) } + decidedRules.lines)
        let details = answers.map { section(on: $1, .title("Newly \($0.rawValue)")) }.filter { !$0.isBare }
        return ReportPage(
            title: accounts.policies.title(of: accounts.name, isChange: !accounts.areEqual),
            scope: ["all devices that there could be"], card: card, sections: details + origin.sections, origin: origin)
    }
}

// MARK: JSON

extension ChangeProof {
    /// By question: `"newly-rejected":{"answer":…},"newly-accepted":{…}`, and the rules on which the answers rest.
    package var members: [(key: String, value: JSONValue)] {
        answers.map { ("newly-\($0.direction.rawValue)", value(of: $0.answer)) } + [decidedRules.member]
    }

    private func value(of answer: Prover.Answer) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("answer", .string(verdict(answer).rawValue)),
            ("reasons", .array(reasons(answer).map { .string($0) })),
        ]
        if case .found(let witness) = answer {
            members += [
                ("device", .string(witness.device.description)), ("before", Self.value(of: witness.before)),
                ("after", Self.value(of: witness.after)), ("records", .array(witness.records.map(Self.value))),
            ]
        }
        return .ordered(members)
    }

    private static func value(of verdict: ProofWitness.Verdict) -> JSONValue {
        .ordered([
            ("verdict", .string(verdict.passed ? "pass" : "fail")), ("policy", .string(verdict.policy)),
            ("rejections", .array(verdict.rejections.map { .string($0) })),
        ])
    }

    private static func value(of record: ProofWitness.Record) -> JSONValue {
        .ordered([
            ("time", .string(record.time.description)), ("flags", .array(record.flags.map { .string($0) })),
            ("attributes", .ordered(record.attributes.map { ($0.key, .string($0.value)) })),
            ("service", .string(record.service == .failover ? "failover" : "primary")),
        ])
    }
}
