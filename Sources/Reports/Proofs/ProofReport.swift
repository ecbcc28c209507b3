package import Analysis
internal import Documents
internal import PolicyEngine
internal import Proofs
internal import Replay

// The sentences of reports about proofs.
extension ChangeProof {
    /// The answer to a question in a sentence: `proved: no device would newly be rejected`.
    func sentence(_ direction: Prover.Direction, _ answer: Prover.Answer) -> String {
        let turned = "device would newly be \(direction.rawValue)"
        return switch verdict(answer) {
        case .proved: "proved: no \(turned)"
        case .found: answer.hasOutage ? "in an outage of the primary service, a \(turned)" : "a \(turned)"
        case .notExcluded: "it cannot be excluded that a \(turned)"
        case .notDecided: "not decided\(endedByTime(answer) ? " in \(limit) s" : "") whether a \(turned)"
        }
    }

    private func endedByTime(_ answer: Prover.Answer) -> Bool {
        if case .notDecided(.time) = answer { true } else { false }
    }

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

    /// The reasons why an answer does not hold for certain, in sentences; none for a device that was found.
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
            case .pattern: "has a pattern that is not a regular expression"
            case .reservedKey: "looks at a key that is reserved in records"
            case .order: "looks at a list of flags whose order depends on other records"
            case .unknownFlags(let example):
                "looks at a list of flags, and flags that no account declares can change its result"
                    + (example.map { ", such as \($0.quoted)" } ?? "")
            }
        return "filter \(filter.name.quoted) \(reason); the proof assumes that it can match or not match any device"
    }

    private static func words(_ reason: Undecided) -> String {
        switch reason {
        case .time(let step): "the time ended while \(words(step))"
        case .size(.lists): "the filters distinguish too many lists of flags"
        case .size: "the filters distinguish too many values"
        case .solver(let words): "Z3 gave up" + (words.isEmpty ? "" : ": \(words)")
        case .sampling: "no device and day were found on which both accounts sample as required"
        case .disagreement: "the engine decides otherwise on the device that was found"
        }
    }

    private static func words(_ step: Undecided.Step) -> String {
        switch step {
        case .values: "the values that the filters distinguish were computed"
        case .lists: "the lists of flags that the filters distinguish were computed"
        case .devices: "Z3 searched for a device"
        case .samples: "a device and a day were searched for on which both accounts sample as required"
        }
    }

    /// A capture, in JSON Lines, of the records of all devices that were found.
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
