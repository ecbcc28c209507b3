internal import Documents
internal import Figures
internal import PolicyEngine
internal import Proofs
internal import Replay

/// Asks whether an exemption lets in devices that it was not asked to, of all possible devices.
///
/// A device was asked for if the captures have it so, or if one of its attestations is one that `--exempt` selects and
/// `--but-reject` does not.
struct OtherDevices {
    let question: SearchQuestion
    /// The devices of the captures that are to be let in.
    let asked: Set<DeviceID>
    /// When it takes too long.
    let deadline: ContinuousClock.Instant

    /// The greatest number of answers that are looked at.
    private static let answers = 12

    /// Chooses among the answers that cost as much as the first one: the first that lets in no other device, or the first of all.
    ///
    /// - Parameters:
    ///   - answers: The answers, the best one first; at least one.
    ///   - account: The account as it is.
    /// - Returns: Its index, and the proof about it.
    func safest(of answers: [ExemptionSearch.Answer], from account: Account) -> (index: Int, proof: ChangeProof?) {
        let equal = answers.prefix { $0.cost == answers[0].cost }.prefix(Self.answers)
        let first = proof(from: account, to: answers[0].account, within: left)
        guard first?.isProved == false else { return (0, first) }
        // Half of the time stays for what is done with the answer.
        let enough = left / 2
        for (index, answer) in equal.enumerated().dropFirst() where !Cancellation.isDue() {
            let proof = proof(from: account, to: answer.account, within: left - enough)
            if proof?.isProved == true { return (index, proof) }
        }
        return (0, first)
    }

    // The seconds that are left.
    private var left: Int { Int((deadline - .now).components.seconds) }

    // The smallest other device that the edited account lets in, or that there is none; `nil` where the solver is not installed, or no
    // time is left.
    private func proof(from account: Account, to edited: Account, within seconds: Int) -> ChangeProof? {
        guard Prover.hasSolver, seconds > 0 else { return nil }
        let limit = min(seconds, ChangeProof.usualLimit)
        let prover = Prover(before: account, after: edited, limit: .seconds(limit), excluding: excluded)
        let accounts = ComparedAccounts(before: account, after: edited)
        return ChangeProof(
            [(.accepted, prover.answer(.accepted))], beyondCaptures: accounts.beyondCaptures, limit: limit,
            accounts: accounts)
    }

    private var excluded: ExcludedRecords {
        let asked = RecordExpression.any([
            .devices(asked), .all([question.exempt ?? .any([]), .not(question.reject ?? .any([]))]),
        ])
        return ExcludedRecords(asked.condition) { witness, number in
            var isGivenUp = false
            let isAsked = asked.selects(
                PossibleRecord(witness: witness, number: number), by: PatternMatcher(keepsAll: true),
                isGivenUp: &isGivenUp)
            return isAsked || isGivenUp
        }
    }
}

/// A record of a possible device.
private struct PossibleRecord: ExpressedRecord {
    let witness: ProofWitness
    let number: Int

    private var record: ProofWitness.Record { witness.records[number] }
    var device: DeviceID { witness.device }
    var time: Instant { record.time }
    var capturedVerdict: Bool? { number == witness.records.count - 1 ? witness.before.passed : nil }

    func hasFlag(named name: String) -> Bool { record.flags.contains(name) }

    func attribute(_ key: String) -> String? {
        record.attributes.first { ExactText($0.key) == ExactText(key) }?.value
    }
}

extension RecordExpression {
    // The same as proofs take it; they do not know derived values.
    fileprivate var condition: RecordCondition {
        switch self {
        case .flag(let name): .flag(name)
        case .devices(let devices): .devices(devices)
        case .label: .unknown
        case .verdict(let passed): .verdict(passed: passed)
        case .value(let key, let value):
            key == RecordKey(attribute: key.attribute)
                ? .test(.exact(key: key.attribute, value: value.text)) : .unknown
        case .pattern(let key, let pattern):
            key == RecordKey(attribute: key.attribute) ? .test(.regex(key: key.attribute, pattern: pattern)) : .unknown
        case .not(let inner): .not(inner.condition)
        case .all(let parts): .all(parts.map(\.condition))
        case .any(let parts): .any(parts.map(\.condition))
        }
    }
}
