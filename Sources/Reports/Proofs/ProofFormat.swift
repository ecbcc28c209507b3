package import Analysis
package import PolicyEngine
internal import Proofs

/// The forms in which proofs can be written.
package enum ProofFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// The records of the device that was found alone, as a capture.
    case jsonl

    /// The report in this form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - proof: The answers.
    ///   - style: Colours of the text, where a terminal shows them.
    package func bytes(of proof: ChangeProof, style: TextStyle = .plain) -> [UInt8] {
        switch self {
        case .text: proof.bytes(as: .text, style: style)
        case .json: proof.bytes(as: .json)
        case .jsonl: proof.capture
        }
    }
}

extension ChangeProof: PlainReport {
    /// A section for each question: the answer, why there is none, or the device that was found; and the rules on which the
    /// answers rest.
    package var sections: [ReportSection] {
        answers.map { direction, answer in
            let sentences = reasons(answer).map { ReportText($0) }
            let emphasis: ReportText.Emphasis =
                switch verdict(answer) {
                case .proved: .good
                case .found: .bad
                case .notExcluded, .notDecided: .strong
                }
            let notice = ReportSection.Heading.notice(ReportText(sentence(direction, answer), emphasis))
            guard case .found(let witness) = answer else { return ReportSection(notice, sentences: sentences) }
            let verdicts = [("before", witness.before), ("after", witness.after)].map { side, verdict in
                [
                    ReportTable.Cell.text(side), Self.cell(verdict), .text("under \(verdict.policy)"),
                    Self.reasons(verdict),
                ]
            }
            let head: ReportText = witness.records.count == 1 ? "its record:" : "its records; the last one turns:"
            return ReportSection(
                notice, sentences: [ReportText(Self.sentence(witness))],
                table: ReportTable([.text(), .text(), .text(), .text()], verdicts),
                lists: [
                    ReportList(head: head, items: Self.lines(of: witness).map { String($0.dropLast()) }, isOutput: true)
                ])
        } + decidedRules.sections
    }

    private static func cell(_ verdict: ProofWitness.Verdict) -> ReportTable.Cell {
        verdict.passed ? .text("pass", .good) : .text("fail", .bad)
    }

    private static func reasons(_ verdict: ProofWitness.Verdict) -> ReportTable.Cell {
        .text(verdict.rejections.joined(separator: ", "))
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
