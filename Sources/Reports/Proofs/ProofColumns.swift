package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine
internal import Proofs

extension ChangeProof: SectionedAnswer {
    package static let forms: [ReportForm] = [.text, .json, .html, .jsonl]
    // One question is asked at least.
    package static let kind = ReportKind("proofs", "Proofs", columns, atLeast: 3)

    package func bytes(as form: ReportForm, in setting: ReportSetting = ReportSetting()) -> [UInt8] {
        form == .jsonl ? capture : sectioned(as: form, in: setting)
    }

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
    func section(on answer: Prover.Answer, _ heading: ReportSection.Heading) -> ReportSection {
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
    package func page(in setting: ReportSetting) -> ReportPage {
        let verdict: ReportText =
            isProved
            ? ReportText("✓ Proved", .good)
            : isRefuted ? ReportText("✗ A device would change sides", .bad) : "Not decided"
        let results = answers.map { result($0, $1).withoutEmphasis }
        var head = ReportHead("", verdict: verdict, details: Array(results.dropFirst()), notes: decidedRules.lines)
        if let first = results.first { head.answer = first }
        let details = answers.map { section(on: $1, .title("Newly \($0.rawValue)")) }.filter { !$0.isBare }
        return ReportPage(
            title: accounts.policies.title(of: accounts.name, isChange: !accounts.areEqual),
            scope: ["every possible device"], head: head, sections: details + setting.origin.sections(),
            origin: setting.origin)
    }
}

// MARK: JSON

extension ChangeProof {
    /// By question: `"newly-rejected":{"answer":…},"newly-accepted":{…}`, and the rules on which the answers rest.
    package var json: JSONValue { Self.columns.value(of: self) }

    static let columns = Columns<ChangeProof>(
        inOrder: [.version] + Prover.Direction.allCases.map(answer) + [
            .field(
                "decided-rules", "The rules on which the answers rest, and which the manual leaves open.",
                \.decidedRules)
        ])

    private static func answer(_ direction: Prover.Direction) -> Column<ChangeProof> {
        .optional("newly-\(direction.rawValue)", "Whether a device would newly be \(direction.rawValue).", answer) {
            proof in
            proof.answers.first { $0.direction == direction }.map { (proof, $0.answer) }
        }
    }

    static let answer = Columns<(proof: ChangeProof, answer: Prover.Answer)>(inOrder: [
        .word("answer", "Whether there can be such a device.", of: ["proved", "found", "not-excluded", "not-decided"]) {
            $0.proof.verdict($0.answer).rawValue
        },
        .field("reasons", "Why the answer is not known for sure, in sentences.") { $0.proof.reasons($0.answer) },
        .optional("device", "The ID of the smallest device that was found.") { $0.answer.witness?.device },
        .optional("before", "The decision on its last record before the change.", verdict) {
            $0.answer.witness?.before
        },
        .optional("after", "The decision on its last record after the change.", verdict) { $0.answer.witness?.after },
        .optionalList("records", "The records of the device, of which the last one turns.", record) {
            $0.answer.witness?.records
        },
    ])

    private static let verdict = Columns<ProofWitness.Verdict>(inOrder: [
        .verdict("verdict", "What the account decides.", passed: \.passed),
        .field("policy", "The security policy that was applied.", \.policy),
        .field("rejections", "The causes for which it fails.", \.rejections),
    ])

    private static let record = Columns<ProofWitness.Record>(inOrder: [
        .field("time", "When the device attests.", \.time), .field("flags", "The flags that are set.", \.flags),
        .value("attributes", "The attributes of the record, by their names.", .map(of: .string)) {
            .ordered($0.attributes.map { ($0.key, .string($0.value)) })
        },
        .word("service", "The service that answers the device.", of: ["primary", "failover"]) {
            $0.service == .failover ? "failover" : "primary"
        },
    ])
}

extension Prover.Answer {
    fileprivate var witness: ProofWitness? { if case .found(let witness) = self { witness } else { nil } }
}
