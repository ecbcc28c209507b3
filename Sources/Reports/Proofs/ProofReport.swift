internal import Documents
internal import PolicyEngine
package import Proofs

/// The answers of a proof about all devices that there could be: one value behind every form of report.
package struct ProofReport: Sendable {
    /// The questions with their answers, in the order of the report.
    let answers: [(direction: Prover.Direction, answer: Prover.Answer)]
    // The changes beside the rules, in words: which flags the service observes may be others then.
    private let beyondCaptures: [String]
    // Seconds that each answer could take.
    private let limit: Int

    /// - Parameters:
    ///   - answers: The questions with their answers.
    ///   - beyondCaptures: The effects of the change that no record shows, in words.
    ///   - limit: Seconds that each answer could take.
    package init(
        _ answers: [(direction: Prover.Direction, answer: Prover.Answer)], beyondCaptures: [String], limit: Int
    ) {
        (self.answers, self.beyondCaptures, self.limit) = (answers, beyondCaptures, limit)
    }

    /// The answer to a question, in a word.
    package enum Verdict: String, Sendable {
        case proved, found
        case notExcluded = "not-excluded"
        case notDecided = "not-decided"
    }

    /// The answers, question by question.
    package var outcomes: [Verdict] { answers.map { outcome($0.answer) } }

    func outcome(_ answer: Prover.Answer) -> Verdict {
        switch answer {
        case .proved: beyondCaptures.isEmpty ? .proved : .notExcluded
        case .found: .found
        case .notExcluded: .notExcluded
        case .notDecided: .notDecided
        }
    }

    /// The answer in a sentence.
    func sentence(_ direction: Prover.Direction, _ answer: Prover.Answer) -> String {
        let turns = "device would newly be \(direction.rawValue)"
        return switch outcome(answer) {
        case .proved: "proved: no \(turns)"
        case .found: hasOutage(answer) ? "in an outage of the primary service, a \(turns)" : "a \(turns)"
        case .notExcluded: "it cannot be excluded that a \(turns)"
        case .notDecided: "not decided\(isLate(answer) ? " in \(limit) s" : "") whether a \(turns)"
        }
    }

    private func isLate(_ answer: Prover.Answer) -> Bool {
        if case .notDecided(.time) = answer { true } else { false }
    }

    private func hasOutage(_ answer: Prover.Answer) -> Bool {
        if case .found(let witness) = answer { witness.hasOutage } else { false }
    }

    /// True if a device was found whose verdict turns only where the failover answers, so that no capture shows it.
    package var hasOutage: Bool { answers.contains { hasOutage($0.answer) } }

    /// The device that was found, and which of its attestations the failover answers, as a sentence.
    static func sentence(_ witness: ProofWitness) -> String {
        let numbers = witness.records.indices.filter { witness.records[$0].service == .failover }
        let device = "the smallest one is \(witness.device.description)"
        guard let last = numbers.last else { return device }
        if witness.records.count == 1 { return device + ", where the failover answers, which has no filters" }
        let list =
            numbers.count == 1
            ? "record \(last + 1)" : "records " + numbers.map { "\($0 + 1)" }.joined(separator: ", ")
        return device + ", where the failover answers \(list) without filters"
    }

    /// Why it is not known, in sentences.
    func reasons(_ answer: Prover.Answer) -> [String] {
        switch answer {
        case .proved: beyondCaptures
        case .found: []
        case .notExcluded(let filters): filters.map(Self.openFilter) + beyondCaptures
        case .notDecided(let reason): [Self.words(reason)]
        }
    }

    private static func openFilter(_ filter: OpenFilter) -> String {
        let reason =
            switch filter.reason {
            case .pattern: "searches for what is no regular expression"
            case .reservedKey: "looks at what a record says of itself"
            case .order: "looks at a list of flags whose order depends on other records"
            case .unknownFlags(let example):
                "looks at a list of flags, in which flags make a difference that no account declares"
                    + (example.map { ", such as \($0.quoted)" } ?? "")
            }
        return "filter \(filter.name.quoted) \(reason), so that it was taken for anything at all"
    }

    private static func words(_ reason: Undecided) -> String {
        switch reason {
        case .time(let step): "the time ended while \(words(step))"
        case .size(.lists): "the filters can tell lists of flags apart in too many ways"
        case .size: "the filters can tell values apart in too many ways"
        case .solver(let words): "Z3 gave up" + (words.isEmpty ? "" : ": \(words)")
        case .sampling: "no device and day were found on which both accounts sample as they would have to"
        case .disagreement: "the engine decides otherwise on the device that was found"
        }
    }

    private static func words(_ step: Undecided.Step) -> String {
        switch step {
        case .values: "it was found out which values the filters tell apart"
        case .lists: "it was found out which lists of flags the filters tell apart"
        case .devices: "Z3 looked for a device"
        case .samples: "a device and a day were looked for on which both accounts sample as they would have to"
        }
    }

    /// The records of all devices that were found, as JSON Lines: a capture.
    package var capture: [UInt8] {
        let lines = answers.flatMap { entry -> [String] in
            guard case .found(let witness) = entry.answer else { return [] }
            return Self.lines(of: witness)
        }
        return Array(lines.joined().utf8)
    }

    /// The records of a device, each as a line of a capture.
    static func lines(of witness: ProofWitness) -> [String] {
        witness.records.map { record in
            KeptRecordText.line(
                time: record.time, device: witness.device, flags: record.flags,
                attributes: record.attributes.map { ($0.key, $0.value) })
        }
    }
}
