package import Analysis
internal import Documents
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
    package var json: JSONValue { Self.form.value(of: self) }

    static let form = ObjectForm<ChangeProof>(
        inOrder: [.version] + Prover.Direction.allCases.map(answer) + [.field("decided-rules", \.decidedRules)])

    private static func answer(_ direction: Prover.Direction) -> ObjectForm<ChangeProof>.Member {
        .optional("newly-\(direction.rawValue)", answer) { proof in
            proof.answers.first { $0.direction == direction }.map { (proof, $0.answer) }
        }
    }

    private static let answer = ObjectForm<(proof: ChangeProof, answer: Prover.Answer)>(inOrder: [
        .word("answer", of: ["proved", "found", "not-excluded", "not-decided"]) {
            $0.proof.verdict($0.answer).rawValue
        },
        .field("reasons") { $0.proof.reasons($0.answer) }, .optional("device") { $0.answer.witness?.device },
        .optional("before", verdict) { $0.answer.witness?.before },
        .optional("after", verdict) { $0.answer.witness?.after },
        .optional("records", .list(of: record.schema)) { ($0.answer.witness?.records).map(record.list) },
    ])

    private static let verdict = ObjectForm<ProofWitness.Verdict>(inOrder: [
        .verdict("verdict", passed: \.passed), .field("policy", \.policy), .field("rejections", \.rejections),
    ])

    private static let record = ObjectForm<ProofWitness.Record>(inOrder: [
        .field("time", \.time), .field("flags", \.flags),
        .value("attributes", .map(of: .string)) { .ordered($0.attributes.map { ($0.key, .string($0.value)) }) },
        .word("service", of: ["primary", "failover"]) { $0.service == .failover ? "failover" : "primary" },
    ])
}

extension Prover.Answer {
    fileprivate var witness: ProofWitness? { if case .found(let witness) = self { witness } else { nil } }
}
